import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { isSlowFile } from "./scripts/ledger/ledger.ts";
import { ShardsByTime } from "./scripts/ledger/shards.ts";
import { PATIENCE } from "./server/test/support/until.ts";

const SLOW = "**/*.slow.test.ts";

/** The soak test counts kernel resources held by all programs, so it runs alone. */
const SOAK = "server/test/operate/soak.slow.test.ts";

/** Quick test files whose variants run only with the slow tests. */
const VARIANTS = globSync("{server,conformance}/**/*.test.ts", {
  exclude: ["**/node_modules", "**/dist", SLOW],
}).filter((file) => isSlowFile(file, (path) => readFileSync(path, "utf8")));

/** The conformance suite against complete deployments, including faulty ones. */
const CONFORMANCE_SLOW = "conformance/**/*.slow.test.ts";

/** The scenarios that clients in all languages, which run only if `npm run clients` has set RBS_STAGE. */
const SCENARIOS = "clients/typescript/test/scenarios.test.ts";
const isStageSet = process.env["RBS_STAGE"] !== undefined;

/** Time limits for quick tests and polling assertions, in ms. Busy machines need long limits. */
const QUICK_MS = 120_000 * PATIENCE;
const POLL_MS = 15_000 * PATIENCE;

/** Reports how much processor time each file used. */
const COUNT = "scripts/ledger/count-processor-time.ts";

/**
 * Tests in these files measure or change their own process, or start real browsers, so each file has its own process.
 */
const ALONE = [
  "server/src/adapters/{broker,chromium,fake-browser,linux,node,pino,xvnc}/**/*.test.ts",
  "server/src/adapters/sql/tables/price.test.ts",
  "server/src/broker/**/*.test.ts",
  "server/src/gateway/{backpressure,chromium}.test.ts",
  "server/src/gateway/connections/unsent-answers.test.ts",
];

/**
 * Returns a project for quick tests.
 * @param isolate Whether each file has its own process and modules. For most files, loading the modules takes half of
 * the time.
 */
function quick(name: string, { include = [`${name}/**/*.test.ts`], exclude = [] as string[], isolate = false } = {}) {
  return {
    test: {
      name,
      setupFiles: COUNT,
      include,
      exclude: ["**/node_modules/**", "**/dist/**", "server/test/**", SLOW, SCENARIOS, ...exclude],
      isolate,
      testTimeout: QUICK_MS,
      hookTimeout: QUICK_MS,
      expect: { poll: { timeout: POLL_MS } },
      maxWorkers: 4,
      sequence: { groupOrder: 0 },
    },
  };
}

export default defineConfig({
  test: {
    // Slow tests measure durations, so few of them run at the same time. Other tests often wait, so more of them run
    // than the machine has cores.
    maxWorkers: 2,
    sequence: { sequencer: ShardsByTime },
    projects: [
      quick("openapi"),
      quick("server", { exclude: ALONE }),
      quick("adapters", { include: ALONE, isolate: true }),
      quick("scripts", { include: ["{command-line,scripts}/**/*.test.ts"] }),
      quick("bench"),
      quick("clients"),
      quick("conformance"),
      {
        test: {
          name: "e2e",
          isolate: false,
          setupFiles: COUNT,
          include: ["server/test/**/*.test.ts"],
          exclude: [SLOW],
          testTimeout: QUICK_MS,
          hookTimeout: QUICK_MS,
          expect: { poll: { timeout: POLL_MS } },
          maxWorkers: 4,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "slow",
          setupFiles: COUNT,
          include: [SLOW, ...VARIANTS],
          exclude: ["**/node_modules/**", "**/dist/**", CONFORMANCE_SLOW, SOAK],
          env: { RBS_VARIANTS: "true" },
          testTimeout: 240_000,
          hookTimeout: QUICK_MS,
          expect: { poll: { timeout: POLL_MS } },
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "proof",
          setupFiles: COUNT,
          include: [CONFORMANCE_SLOW],
          exclude: ["**/node_modules/**", "**/dist/**"],
          testTimeout: 600_000,
          hookTimeout: QUICK_MS,
          expect: { poll: { timeout: POLL_MS } },
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: "soak",
          setupFiles: COUNT,
          include: [SOAK],
          hookTimeout: QUICK_MS,
          sequence: { groupOrder: 3 },
        },
      },
      ...(isStageSet
        ? [
            {
              test: {
                name: "scenarios",
                include: [SCENARIOS],
                testTimeout: QUICK_MS,
                hookTimeout: QUICK_MS,
              },
            },
          ]
        : []),
    ],
  },
});
