import { argv, env, exit, stderr, stdout } from "node:process";
import { OWN_MOUNTS } from "../app/compose/rights.ts";
import { runAccount } from "./run-account.ts";

const args = argv.slice(2).filter((arg) => arg !== `--${OWN_MOUNTS}`);
const code = await runAccount({ args, settings: env, stdout, stderr });
if (code !== 0) exit(code);
