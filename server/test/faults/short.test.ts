import { expect, test } from "vitest";
import { runCase } from "./campaign.ts";

// The campaign lets each fault strike for longer, alone and in pairs. Only root can do this to a server.
test.runIf(process.getuid?.() === 0).each([
  [
    "browsers that crash and take all memory, on a full disk, without descriptors",
    "real",
    ["kill browser", "memory", "full disk", "no descriptors"],
  ],
  ["a server that freezes and crashes on a full disk", "fake", ["stop server", "kill server", "full disk"]],
] as const)("after %s, nothing is left, nothing is charged wrongly", async (_, browsers, faults) => {
  const seed = Date.now() % 1_000_000;
  const result = await runCase({ browsers, faults, seconds: 8, seed, isConformant: false, perS: 4 });
  expect(result.mistakes, `seed ${seed}, ${JSON.stringify([...result.history.answers])}`).toEqual([]);
  for (const count of result.strikes) expect(count).toBeGreaterThan(0);
});
