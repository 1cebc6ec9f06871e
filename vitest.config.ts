import { defineConfig } from "vitest/config";

const SLOW = "**/*.slow.test.ts";

/** The conformance suite on whole deployments, faulty ones too. */
const CONFORMANCE_SLOW = "conformance/**/*.slow.test.ts";

/** What the clients of all languages are tried with alike: only where `npm run clients` has set the stage. */
const SCENARIOS = "clients/typescript/test/scenarios.test.ts";
const isStageSet = process.env["RBS_STAGE"] !== undefined;

/** Tests beside their source: quick, though an adapter's may start a real browser. */
function quick(name: string) {
  return {
    test: {
      name,
      include: [`${name}/**/*.test.ts`],
      exclude: ["**/node_modules/**", "**/dist/**", "server/test/**", SLOW, SCENARIOS],
      testTimeout: 20_000,
      hookTimeout: 20_000,
      sequence: { groupOrder: 0 },
    },
  };
}

export default defineConfig({
  test: {
    // Two, since each browser test keeps a core busy for as long as its browsers start.
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
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "slow",
          include: [SLOW],
          exclude: ["**/node_modules/**", "**/dist/**", CONFORMANCE_SLOW],
          testTimeout: 240_000,
          hookTimeout: 60_000,
          // They wait for deadlines most of the time, so more of them than cores may do so at once.
          maxWorkers: 4,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: "proof",
          include: [CONFORMANCE_SLOW],
          exclude: ["**/node_modules/**", "**/dist/**"],
          testTimeout: 600_000,
          hookTimeout: 60_000,
          // The suite watches how long things take, so it is not disturbed by more than there are cores for.
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
      ...(isStageSet
        ? [{ test: { name: "scenarios", include: [SCENARIOS], testTimeout: 60_000, hookTimeout: 60_000 } }]
        : []),
    ],
  },
});
