import { expect, test } from "vitest";
import { startServers } from "../support/servers/deployment.ts";
import { expectExact } from "../support/databases/exact.ts";
import { Load, toTried } from "../support/servers/load.ts";
import { startPostgres } from "../support/databases/postgres.ts";
import type { RealServer } from "../support/servers/real-server.ts";
import { until } from "../support/until.ts";

/** Limits of the accounts, each account's number of clients, and how long each client keeps a browser open. */
const LIMITS = [
  { parallel: 1, clients: 4, keepMs: 5 },
  { parallel: 3, clients: 8, keepMs: 20 },
  { parallel: 50, clients: 60, keepMs: 1500 },
];
/** With more clients than units, each server is killed while the account is using its last units. */
const UNITS = 30;
const CLIENTS = 60;

test("under load, no account exceeds its limit or its units while servers are killed and restarted", async () => {
  await using postgres = await startPostgres();
  await using deployment = await startServers(postgres, 2, { RBS_CAPACITY: "100" });
  const { servers, query } = deployment;
  const newAccount = (email: string, parallel: number, ...limits: readonly string[]): Promise<string> =>
    deployment.newAccount(email, "--parallel", String(parallel), ...limits);
  const limited = await Promise.all(
    LIMITS.map(async (limits) => {
      const token = await newAccount(`limit-${limits.parallel}@example.com`, limits.parallel);
      return toTried({ token, ...limits });
    }),
  );
  const metered = await Promise.all(
    servers.map(async (_, index) => {
      const token = await newAccount(`units-${index}@example.com`, CLIENTS, "--units", String(UNITS));
      return toTried({ token, parallel: CLIENTS, clients: CLIENTS, keepMs: 20 });
    }),
  );
  const accounts = [...limited, ...metered];
  const kept = await newAccount("kept@example.com", 4);

  await using load = new Load(deployment);
  limited.forEach((account) => load.add(account));
  for (const [index, account] of metered.entries()) {
    const [killed, other] = [servers[index], servers[1 - index]] as [RealServer, RealServer];
    await openSoon(killed, kept);
    const stays = await openSoon(other, kept);
    load.add(account);
    await until(
      () => account.opened,
      (opened) => opened >= UNITS / 2,
    );
    await load.kill(killed, accounts);
    await until(
      () => account.refusals.has("NoUnits"),
      (isUsed) => isUsed,
    );
    const again = await deployment.restart(index);
    expect(await again.addresses(kept)).toEqual([]);
    expect(await other.addresses(kept)).toEqual([stays]);
    await until(
      () =>
        query<{ open: number }>(`
        select open from account_load where account_id = (select id from accounts where email = 'kept@example.com')`),
      ([row]) => row?.open === 1,
    );
    await other.close(stays, kept);
  }
  await load.end();

  expect(limited.map(({ most }) => most)).toEqual(LIMITS.map(({ parallel }) => parallel));
  for (const { opened } of metered) expect(opened).toBeLessThanOrEqual(UNITS);
  // A busy machine may not respond in time.
  const refusals = new Set(["BrowserUnavailable", ...accounts.flatMap((account) => [...account.refusals.keys()])]);
  expect(refusals).toEqual(new Set(["BrowserUnavailable", "BrowserLimit", "NoUnits"]));
  await until(
    () => query("select id, state, worker from browsers where state <> 'closed'"),
    ({ length }) => length === 0,
  );
  await expectExact(query);
});

/** Retries until the busy server opens a browser. @returns The browser's address. */
async function openSoon(server: RealServer, token: string): Promise<string> {
  const { body } = await until(
    () => server.post("Open", { Headless: true, KeepOpen: 600 }, token),
    ({ status }) => status === 200,
  );
  return String(body["address"]);
}
