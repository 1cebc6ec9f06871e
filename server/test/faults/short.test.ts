import { expect, test } from "vitest";
import { HAS_VARIANTS } from "../support/variants.ts";
import { runCase } from "./campaign.ts";

const CASES = [
  [
    "browsers that crash and take all memory, on a full disk, without descriptors",
    "real",
    ["kill browser", "memory", "full disk", "no descriptors"],
  ],
  ["a server that freezes and crashes on a full disk", "fake", ["stop server", "kill server", "full disk"]],
] as const;

// The campaign injects faults for longer, alone and in pairs. The faults require root.
test.runIf(process.getuid?.() === 0).each(HAS_VARIANTS ? CASES : CASES.slice(0, 1))(
  "after %s, all resources are released and all charges are correct",
  async (_, browsers, faults) => {
    const seed = Date.now() % 1_000_000;
    const result = await runCase({ browsers, faults, seconds: 8, seed, isConformant: false, perS: 4 });
    expect(result.mistakes, `seed ${seed}, ${JSON.stringify([...result.history.answers])}`).toEqual([]);
    for (const count of result.strikes) expect(count).toBeGreaterThan(0);
  },
);
