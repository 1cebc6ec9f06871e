import { defineConfig } from "vitest/config";
import { PATIENCE } from "./server/test/support/until.ts";

const SLOW = "**/*.slow.test.ts";

/** It counts what the kernel holds for all programs, so it runs alone. */
const SOAK = "server/test/soak.slow.test.ts";

/** The conformance suite against complete deployments, including faulty ones. */
const CONFORMANCE_SLOW = "conformance/**/*.slow.test.ts";

/** The scenarios that the clients of all languages share. They only run if `npm run clients` has set RBS_STAGE. */
const SCENARIOS = "clients/typescript/test/scenarios.test.ts";
const isStageSet = process.env["RBS_STAGE"] !== undefined;

/** How long polling assertions wait, in ms. A busy machine can be this slow. */
const POLL_MS = 15_000 * PATIENCE;

/** Tests beside their sources. They are quick, but tests of adapters may start a real browser. */
function quick(name: string) {
  return {
    test: {
      name,
      include: [`${name}/**/*.test.ts`],
      exclude: ["**/node_modules/**", "**/dist/**", "server/test/**", SLOW, SCENARIOS],
      testTimeout: 60_000 * PATIENCE,
      hookTimeout: 60_000 * PATIENCE,
      expect: { poll: { timeout: POLL_MS } },
      maxWorkers: 3,
      sequence: { groupOrder: 0 },
    },
  };
}

export default defineConfig({
  test: {
    // The slow tests measure durations. The others often wait, so more of them run at once than there are cores.
    maxWorkers: 2,
    projects: [
      quick("openapi"),
      quick("server"),
      quick("scripts"),
      quick("bench"),
      quick("clients"),
      quick("conformance"),
      {
        test: {
          name: "e2e",
          include: ["server/test/**/*.test.ts"],
          exclude: [SLOW],
          testTimeout: 60_000 * PATIENCE,
          hookTimeout: 60_000 * PATIENCE,
          expect: { poll: { timeout: POLL_MS } },
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "slow",
          include: [SLOW],
          exclude: ["**/node_modules/**", "**/dist/**", CONFORMANCE_SLOW, SOAK],
          testTimeout: 240_000,
          hookTimeout: 60_000 * PATIENCE,
          expect: { poll: { timeout: POLL_MS } },
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "proof",
          include: [CONFORMANCE_SLOW],
          exclude: ["**/node_modules/**", "**/dist/**"],
          testTimeout: 600_000,
          hookTimeout: 60_000 * PATIENCE,
          expect: { poll: { timeout: POLL_MS } },
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: "soak",
          include: [SOAK],
          hookTimeout: 60_000 * PATIENCE,
          sequence: { groupOrder: 3 },
        },
      },
      ...(isStageSet
        ? [
            {
              test: {
                name: "scenarios",
                include: [SCENARIOS],
                testTimeout: 60_000 * PATIENCE,
                hookTimeout: 60_000 * PATIENCE,
              },
            },
          ]
        : []),
    ],
  },
});
