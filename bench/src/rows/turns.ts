import { readdirSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Row } from "../bench.ts";
import { readRssBytes } from "../measure/memory.ts";
import { countDescriptors, descendantsOf, isXvnc, readProgram } from "../measure/processes.ts";
import { MB, mb, signed } from "../report/units.ts";
import type { Server } from "../subjects/server.ts";

const TURNS = 500;
/** By then everything has been used once that is kept for the next time. */
const BEFORE = 50;
/** Each so many-th opens the warm browser of the default options, with its screen; all others a cold ChromeHeadlessShell. */
const WARM_EACH = 10;
const MAX_GROWTH_BYTES = 20 * MB;
/** For connections that are kept open for the next request, and processes that Chromium ends by itself. */
const SETTLE_MS = 15_000;
const LOOK_MS = 500;

/** What a server holds while no browser is open and one stands ready. */
type Holding = Record<"descriptors" | "displays" | "folders" | "processes", number>;

/** What 500 browsers, opened and closed one after the other, leave behind. */
export const turns: Row = {
  name: "turns",
  async measure(bench) {
    await using server = await bench.newServer({ warm: 1 });
    const take = async (from: number, to: number): Promise<void> => {
      for (let turn = from; turn < to; turn += 1) {
        await openAndClose(server, turn % WARM_EACH === 0);
        bench.tell(turn + 1, TURNS);
      }
      await server.untilWarm(1);
      await wait(SETTLE_MS);
    };
    await take(0, BEFORE);
    const [rssBefore, before] = [readRssBytes(server.pid), readHolding(server)];
    await take(BEFORE, TURNS);
    const rssAfter = readRssBytes(server.pid);
    const after = await settle(server, before);
    const growth = rssAfter - rssBefore;
    const isSame = isDeepStrictEqual(after, before);
    return [
      {
        name: `server RSS after ${TURNS} Opens and Closes in turn`,
        ours: mb(rssAfter),
        baseline: `after the first ${BEFORE} ${mb(rssBefore)}`,
        compared: signed(mb)(growth),
        target: `≤ + ${MAX_GROWTH_BYTES / MB} MB`,
        isMet: growth <= MAX_GROWTH_BYTES,
      },
      {
        name: "descriptors, displays, folders, processes after them",
        ours: toText(after),
        baseline: `after the first ${BEFORE} ${toText(before)}`,
        compared: isSame ? "the same" : "not the same",
        target: "the same",
        isMet: isSame,
      },
    ];
  },
};

async function openAndClose(server: Server, isWarm: boolean): Promise<void> {
  if (isWarm) await server.untilWarm(1);
  const address = await server.open(isWarm ? {} : { Browser: 3 });
  using client = await server.connect(address);
  await client.call("Browser.getVersion");
  await server.close(address);
}

/** What is left for good does not go away by waiting. */
async function settle(server: Server, wanted: Holding): Promise<Holding> {
  let held = readHolding(server);
  for (let waitedMs = 0; waitedMs < SETTLE_MS && !isDeepStrictEqual(held, wanted); waitedMs += LOOK_MS) {
    await wait(LOOK_MS);
    held = readHolding(server);
  }
  return held;
}

function readHolding(server: Server): Holding {
  const programs = descendantsOf(server.pid).map(readProgram);
  return {
    descriptors: countDescriptors(server.pid),
    displays: programs.filter((program) => isXvnc(program ?? "")).length,
    folders: readdirSync(server.cells).length,
    processes: programs.length,
  };
}

function toText({ descriptors, displays, folders, processes }: Holding): string {
  return [descriptors, displays, folders, processes].join(", ");
}
