/** One thing that must hold of the sources, and the command that tells. */
export type Check = {
  readonly name: string;
  /** A file that Node runs, or the name of a program in node_modules/.bin, and its arguments. */
  readonly command: readonly [string, ...string[]];
};

/** Longest first, so that two at a time end soonest. */
export const CHECKS: readonly Check[] = [
  { name: "contract", command: npm("lint") },
  { name: "contract is generated", command: npm("fresh") },
  { name: "lint", command: ["oxlint"] },
  { name: "types of server", command: ["tsc", "-p", "server"] },
  { name: "types of the desktop page", command: ["tsc", "-p", "server/src/desktop-page"] },
  { name: "types of openapi", command: ["tsc", "-p", "openapi"] },
  { name: "types of scripts", command: ["tsc", "-p", "scripts"] },
  { name: "types of bench", command: ["tsc", "-p", "bench"] },
  { name: "types of tunnel", command: ["tsc", "-p", "clients/tunnel"] },
  { name: "format", command: ["oxfmt", "--list-different"] },
  { name: "layers", command: ["node", "scripts/check-layers.ts"] },
  { name: "arguments are generated", command: ["node", "scripts/generate-arguments.ts", "--check"] },
  { name: "notices are generated", command: ["node", "scripts/generate-notices.ts", "--check"] },
];

/** A script of the contract's own package. */
function npm(script: string): readonly [string, ...string[]] {
  return ["npm", "run", "--silent", script, "-w", "openapi"];
}
