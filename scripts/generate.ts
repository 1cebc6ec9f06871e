import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** `npm run generate`: writes every file that is made from another one, each from what the one before has written. */
const root = fileURLToPath(new URL("..", import.meta.url));
const STEPS: readonly (readonly [string, ...string[]])[] = [
  ["npm", "run", "--silent", "generate", "-w", "openapi"],
  ["node", "scripts/generate-arguments.ts"],
  ["node", "scripts/generate-notices.ts"],
];

const path = [join(root, "node_modules/.bin"), process.env["PATH"] ?? ""].join(delimiter);
for (const [program, ...args] of STEPS) {
  const { status } = spawnSync(program, args, { cwd: root, env: { ...process.env, PATH: path }, stdio: "inherit" });
  if (status !== 0) {
    console.error(`Failed: ${program} ${args.join(" ")}`);
    process.exitCode = 1;
    break;
  }
}
