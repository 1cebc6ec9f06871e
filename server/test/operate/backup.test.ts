import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { findLedgerMistakes } from "../faults/ledger-check.ts";
import { type Home, openHome } from "../support/servers/home.ts";
import { type RealServer, startServer } from "../support/servers/real-server.ts";
import { runScript } from "../support/machine/run-script.ts";
import { until } from "../support/until.ts";

const USERS = 8;
const FEW = 40;

/** Starts `npm run backup`, and writes its output to a file. */
function backUp({ settings }: Home, file: string): ReturnType<typeof runScript> {
  return runScript("cli/backup.ts", [], {
    settings,
    wrapper: ["/bin/sh", "-c", 'file=$1; shift; exec "$@" > $file', "sh", file],
  });
}

/** Opens and closes browsers until `signal` is aborted. @param closed Collects the labels of closed browsers. */
async function use(server: RealServer, user: number, closed: Set<string>, signal: AbortSignal): Promise<void> {
  for (let at = 0; !signal.aborted; at += 1) {
    const label = `${user}-${at}`;
    await server.close(await server.open({ Label: label }));
    closed.add(label);
  }
}

/** Reads a database's browsers and their units. */
function readUnits(file: string): Map<string, number> {
  using database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare("select label, units from ended_browsers").all() as {
    label: string;
    units: number;
  }[];
  return new Map(rows.map(({ label, units }) => [label, units]));
}

test("a busy server's backup contains all closed browsers and can be restored", async () => {
  await using home = await openHome();
  await using restored = await openHome();
  const closed = new Set<string>();
  const copy = join(restored.dataDir, "service.sqlite");
  mkdirSync(restored.dataDir);
  let token = "";
  let before = new Set<string>();
  {
    await using server = await startServer({ isFake: true }, home);
    token = server.token;
    const stop = new AbortController();
    const users = Array.from({ length: USERS }, (_, user) => use(server, user, closed, stop.signal));
    await until(
      () => closed.size,
      (size) => size > FEW,
    );
    before = new Set(closed);
    expect(await backUp(home, copy)).toMatchObject({ code: 0, stderr: "" });
    await until(
      () => closed.size,
      (size) => size > before.size + FEW,
    );
    stop.abort();
    await Promise.all(users);
  }
  copyFileSync(join(home.dataDir, "secret.key"), join(restored.dataDir, "secret.key"));
  const [all, kept] = [readUnits(join(home.dataDir, "service.sqlite")), readUnits(copy)];
  expect([...before].filter((label) => kept.get(label) !== all.get(label))).toEqual([]);
  expect(kept.size).toBeLessThan(all.size);
  await using server = await startServer({ isFake: true }, restored);
  await server.close(await server.open({}, token), token);
  expect(findLedgerMistakes(restored.dataDir, { opened: before, refused: new Set() })).toEqual([]);
});

test("a backup requires a data folder", async () => {
  await using home = await openHome();
  expect(await runScript("cli/backup.ts", [], { settings: home.settings })).toMatchObject({
    code: 1,
    stdout: "",
    stderr: `${home.dataDir} has no service.sqlite. Set RBS_DATA_DIR to the server's data folder. The first start of the server creates it.\n`,
  });
});
