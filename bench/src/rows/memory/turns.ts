import { readdirSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Row } from "../../bench.ts";
import { countDescriptors, descendantsOf, isXvnc, readProgram, readServerBytes } from "../../measure/processes.ts";
import { toDifference } from "../../report/comparison.ts";
import { MB, mb } from "../../report/units.ts";
import { openAndAsk } from "../../subjects/browsers/open-browser.ts";
import type { Server } from "../../subjects/processes/server.ts";

const TURNS = 500;
/** Open and Close cycles before the first measurement, to fill all caches. */
const BEFORE = 50;
/**
 * One in `WARM_EACH` Open requests uses the warm browser with default options and a screen. The rest start
 * ChromeHeadlessShell.
 */
const WARM_EACH = 10;
const MAX_GROWTH_BYTES = 20 * MB;
/** Time for idle connections to close and for Chromium's processes to exit. */
const SETTLE_MS = 15_000;
const POLL_MS = 500;

/** A server's resources while no browser is open and one browser is warm. */
type Holding = Record<"descriptors" | "displays" | "folders" | "processes", number>;

/** The server's memory and resources after 500 browsers have been opened and closed, one at a time. */
export const turns: Row = {
  name: "turns",
  async measure(bench) {
    await using server = await bench.newServer({ warm: 1 });
    const run = async (from: number, to: number): Promise<void> => {
      for (let turn = from; turn < to; turn += 1) {
        await openAndClose(server, turn % WARM_EACH === 0);
        bench.report(turn + 1, TURNS);
      }
      await server.untilWarm(1);
      await wait(SETTLE_MS);
    };
    await run(0, BEFORE);
    const [bytesBefore, before] = [readServerBytes(server.pid), readHolding(server)];
    await run(BEFORE, TURNS);
    const bytesAfter = readServerBytes(server.pid);
    const after = await settle(server, before);
    const isSame = isDeepStrictEqual(after, before);
    const name = `server memory after ${TURNS} Open and Close cycles`;
    const baseline = `after the first ${BEFORE} cycles`;
    return [
      toDifference(
        { name, unit: mb, baseline, maxAdded: MAX_GROWTH_BYTES },
        { ours: [bytesAfter], base: [bytesBefore] },
      ),
      {
        name: `descriptors, displays, folders, processes after ${TURNS} cycles`,
        ours: toText(after),
        baseline: `${baseline} ${toText(before)}`,
        compared: isSame ? "the same" : "not the same",
        target: "the same",
        isMet: isSame,
      },
    ];
  },
};

async function openAndClose(server: Server, isWarm: boolean): Promise<void> {
  if (isWarm) await server.untilWarm(1);
  await server.close(await openAndAsk(server, isWarm ? {} : { Browser: 3 }));
}

/** Waits until the server's resources are as expected, but at most `SETTLE_MS`. */
async function settle(server: Server, expected: Holding): Promise<Holding> {
  let held = readHolding(server);
  for (let waitedMs = 0; waitedMs < SETTLE_MS && !isDeepStrictEqual(held, expected); waitedMs += POLL_MS) {
    await wait(POLL_MS);
    held = readHolding(server);
  }
  return held;
}

function readHolding(server: Server): Holding {
  const programs = descendantsOf(server.pid).map(readProgram);
  return {
    descriptors: countDescriptors(server.pid),
    displays: programs.filter((program) => isXvnc(program ?? "")).length,
    folders: readdirSync(server.sandboxes).length,
    processes: programs.length,
  };
}

function toText({ descriptors, displays, folders, processes }: Holding): string {
  return [descriptors, displays, folders, processes].join(", ");
}
