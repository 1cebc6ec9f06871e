import { Client } from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { findObstacle } from "./faults.ts";
import { PLANTS, type Plant, type PlantName } from "./plants.ts";
import { type Options, type Run, check, simulate } from "./simulate.ts";
import type { Violation } from "./checks/violations.ts";

/** On machines that can't create networks, connections aren't cut. */
const FAULTS = (
  ["kill worker", "stop front-end", "kill backend", "cut worker off from the database", "upgrade"] as const
).filter((name) => findObstacle(name) === undefined);
const OPTIONS: Options = {
  seed: 6,
  seconds: 8,
  sessions: 60,
  opensPerS: 20,
  churnPerS: 8,
  faults: FAULTS.length,
  faultNames: FAULTS,
  inPairs: false,
  fronts: 2,
  workers: 2,
  measureS: 0,
  startMs: 20,
  crashShare: 0.1,
};
const NAMES = Object.keys(PLANTS) as PlantName[];

describe(`two front-ends and two workers under load and faults, with the seed ${OPTIONS.seed}`, () => {
  let violations: readonly Violation[];
  let run: Run;
  const found = new Map<PlantName, readonly Violation[]>();
  beforeAll(async () => {
    await simulate(
      OPTIONS,
      () => {},
      async (done) => {
        run = done;
        violations = await check(done.evidence);
        for (const name of NAMES) found.set(name, await checkPlanted(done, PLANTS[name]));
      },
    );
  });

  test("all invariants hold", () => {
    expect(violations).toEqual([]);
    const { sessions, faults, bursts, counts } = run.evidence.history;
    expect(sessions.some(({ end }) => end?.reason === "crashed")).toBe(true);
    expect(sessions.filter(({ connectedMs }) => connectedMs !== undefined).length).toBeGreaterThan(OPTIONS.sessions);
    expect(faults).toHaveLength(OPTIONS.faults);
    expect(bursts.length).toBeGreaterThan(1);
    expect(Math.max(...counts.map(({ browsers }) => browsers))).toBeGreaterThan(OPTIONS.sessions / 4);
  });

  test.each(NAMES)("the checkers find %s", (name) => {
    expect(found.get(name)?.map(({ invariant }) => invariant)).toContain(PLANTS[name].finds);
  });
});

/** Plants a fault in a copy of a run's evidence, and checks the copy. */
async function checkPlanted({ evidence, databaseUrl }: Run, { plant }: Plant): Promise<readonly Violation[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("begin");
    const query = async <Row>(sql: string): Promise<Row[]> => (await client.query(sql)).rows as Row[];
    const copy = {
      history: structuredClone(evidence.history),
      held: [...evidence.held],
      left: [...evidence.left],
      query,
    };
    await plant(copy);
    return await check(copy);
  } finally {
    await client.end();
  }
}
