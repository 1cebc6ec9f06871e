import { LANGUAGES } from "../clients/languages.ts";
import { PYTHON, type Toolchain } from "../toolchains/why-missing.ts";

/** A check of the sources, and the command that runs it. */
export type Check = {
  readonly name: string;
  /** A program in node_modules/.bin, or `node` and a file, followed by arguments. */
  readonly command: readonly [string, ...string[]];
  /** The check is skipped if this is missing. */
  readonly needs?: Toolchain;
  /** The name of an earlier check. Without it, this one would only fail again. */
  readonly after?: string;
  /** Whether the tests of the clients, which `npm test` runs, include it. */
  readonly isInTests?: boolean;
};

/** The check that others need: what is generated from a broken contract is broken too. */
const CONTRACT = "contract";

/** After the contract, longest first, so that running two at a time finishes soonest. */
export const CHECKS: readonly Check[] = [
  { name: CONTRACT, command: npm("lint") },
  ...LANGUAGES.map(({ name, core }) => ({
    name: `${name} client is generated`,
    command: ["node", "scripts/generate-clients.ts", "--check", name] as const,
    after: CONTRACT,
    ...(core === undefined ? {} : { needs: "java" as const }),
  })),
  { name: "lint", command: ["oxlint"] },
  {
    name: "types of the Java client",
    command: ["mvn", "--batch-mode", "--quiet", "--file", "clients/java/pom.xml", "test-compile"],
    needs: "maven",
    isInTests: true,
  },
  { name: "contract is generated", command: npm("fresh"), after: CONTRACT },
  { name: "types of server", command: ["tsc", "-p", "server"] },
  { name: "types of the pages' scripts", command: ["tsc", "-p", "server/src/web"] },
  { name: "types of openapi", command: ["tsc", "-p", "openapi"] },
  { name: "types of scripts", command: ["tsc", "-p", "scripts"] },
  { name: "types of bench", command: ["tsc", "-p", "bench"] },
  { name: "types of the conformance suite", command: ["tsc", "-p", "conformance"] },
  {
    name: "types of the conformance suite's Python",
    command: [PYTHON, "-m", "mypy", "--strict", "conformance/src/schemathesis/python/browser_checks"],
    needs: "python",
  },
  {
    name: "lint of the conformance suite's Python",
    command: [PYTHON, "-m", "ruff", "check", "conformance"],
    needs: "python",
  },
  {
    name: "format of the conformance suite's Python",
    command: [PYTHON, "-m", "ruff", "format", "--check", "conformance"],
    needs: "python",
  },
  { name: "types of tunnel", command: ["tsc", "-p", "clients/tunnel"] },
  { name: "types of the TypeScript client", command: ["tsc", "-p", "clients/typescript"] },
  {
    name: "types of the Python client",
    command: [PYTHON, "-m", "mypy", "--config-file", "clients/python/pyproject.toml", "clients/python"],
    needs: "python",
  },
  { name: "lint of the Python client", command: [PYTHON, "-m", "ruff", "check", "clients/python"], needs: "python" },
  {
    name: "format of the Python client",
    command: [PYTHON, "-m", "ruff", "format", "--check", "clients/python"],
    needs: "python",
  },
  {
    name: "types of the Go client",
    command: ["go", "-C", "clients/go", "vet", "./...", "./remotechromedp/..."],
    needs: "go",
  },
  { name: "types of the scenarios", command: ["tsc", "-p", "clients"] },
  { name: "format", command: ["oxfmt", "--list-different"] },
  { name: "contract breaks no client", command: npm("changes"), after: CONTRACT },
  { name: "layers", command: ["node", "scripts/check-layers.ts"] },
  { name: "words", command: ["node", "scripts/check-words.ts"] },
  { name: "actions are pinned", command: ["node", "scripts/check-pins.ts"] },
  { name: "arguments are generated", command: ["node", "scripts/generate-arguments.ts", "--check"] },
  { name: "mock's table is generated", command: ["node", "scripts/generate-mock.ts", "--check"] },
  { name: "every promise has a rule", command: ["node", "scripts/check-rules.ts"] },
  { name: "rules are listed", command: ["node", "scripts/generate-rules.ts", "--check"] },
  { name: "ledger", command: ["node", "scripts/check-ledger.ts"] },
  { name: "versions agree", command: ["node", "scripts/stamp.ts", "--check"] },
  { name: "notices are generated", command: ["node", "scripts/generate-notices.ts", "--check"] },
];

/** A script of the contract's own package. */
function npm(script: string): readonly [string, ...string[]] {
  return ["npm", "run", "--silent", script, "-w", "openapi"];
}
