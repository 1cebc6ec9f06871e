import { fileURLToPath } from "node:url";
import { startCommand } from "../command-line/src/command-line.ts";
import { LANGUAGES, isGenerated } from "./clients/languages.ts";
import { type Target, runTargets } from "./generators/run-targets.ts";

/** The code that writes or compares all generated files, and renders Markdown. */
const WRITER = "scripts/generators/write-or-check.ts";
const MARKDOWN = "scripts/generators/markdown.ts";

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
  {
    name: "clients",
    command: ["node", "scripts/generate-clients.ts"],
    inputs: [
      "openapi/generated",
      "openapi/released/required.json",
      "openapi/scripts",
      "openapitools.json",
      "scripts/clients",
      "scripts/generate-clients.ts",
      "clients/typescript/package.json",
      ...LANGUAGES.flatMap(({ core }) => core?.settings ?? []),
      WRITER,
    ],
    needs: "java",
    outputs: LANGUAGES.map(({ name }) => `clients/${name}`),
    owns: isGenerated,
  },
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
