import { fileURLToPath } from "node:url";
import { startCommand } from "../command-line/src/command-line.ts";
import { LANGUAGES, isGenerated } from "./clients/languages.ts";
import { type Target, runTargets } from "./generators/run-targets.ts";

/** The code that writes or compares all generated files, and renders Markdown. */
const WRITER = "scripts/generators/write-or-check.ts";
const MARKDOWN = "scripts/generators/markdown.ts";

/** The code that all languages' renderers share. */
const SHARED = [
  "scripts/clients/described-schema.ts",
  "scripts/clients/languages.ts",
  "scripts/clients/openapi-generator.ts",
  "scripts/clients/options-table.ts",
  "scripts/clients/prose.ts",
  "scripts/clients/without-errors.ts",
  "scripts/generate-clients.ts",
  WRITER,
];

/** All targets of `npm run generate`, in dependency order. */
const TARGETS: readonly Target[] = [
  {
    name: "contract",
    command: ["npm", "run", "--silent", "generate", "-w", "openapi"],
    inputs: [
      "openapi/openapi.yaml",
      "openapi/introduction.md",
      ...["paths", "schemas", "components"].map((folder) => `openapi/${folder}`),
      "openapi/redocly.yaml",
      "openapi/package.json",
      "openapi/scripts",
    ],
    outputs: ["openapi/generated"],
  },
  ...LANGUAGES.map(({ name, core }) => ({
    name: `${name} client`,
    command: ["node", "scripts/generate-clients.ts", name] as const,
    inputs: [
      ...[
        "openapi/generated",
        "openapi/released/required.json",
        "openapi/scripts",
        `scripts/clients/${name}`,
        ...SHARED,
      ],
      ...(core === undefined ? [`clients/${name}/package.json`] : [core.settings, "openapitools.json"]),
    ],
    ...(core === undefined ? {} : { needs: "java" as const }),
    outputs: [`clients/${name}`],
    owns: isGenerated,
  })),
  {
    name: "arguments",
    command: ["node", "scripts/generate-arguments.ts"],
    inputs: ["server/src/domain", "scripts/generate-arguments.ts", MARKDOWN, WRITER],
    outputs: ["docs/arguments.md"],
  },
  {
    name: "mock",
    command: ["node", "scripts/generators/mock.ts"],
    inputs: ["openapi/generated", "openapi/scripts", "scripts/mock", "scripts/generators/mock.ts", MARKDOWN, WRITER],
    outputs: ["docs/mock.md"],
  },
  {
    name: "rules",
    command: ["node", "scripts/generators/rules.ts"],
    inputs: [
      "conformance/src",
      "conformance/proof/mutants",
      "openapi/generated",
      "scripts/generators/rules.ts",
      MARKDOWN,
      WRITER,
    ],
    outputs: ["conformance/src/registry/generated", "conformance/proof/generated", "docs/conformance.md"],
  },
  {
    name: "notices",
    command: ["node", "scripts/generators/notices.ts"],
    inputs: ["package-lock.json", "scripts/generators/notices.ts", MARKDOWN, WRITER],
    outputs: ["THIRD_PARTY_NOTICES.md"],
  },
];

startCommand({ usage: "npm run generate\n\nWrites all generated files that are stale.\n" });
const root = fileURLToPath(new URL("..", import.meta.url));
if (!runTargets(TARGETS, root, (text) => process.stdout.write(text))) process.exitCode = 1;
