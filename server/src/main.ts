import { existsSync } from "node:fs";
import { env, exit, stderr, stdout } from "node:process";
import { parseArgs } from "node:util";
import { startService } from "./app/app.ts";
import { readConfig } from "./config/config.ts";
import { announce, introduce } from "./cli/welcome.ts";

/** From the signal, past the drain, until the process is gone whatever still hangs; the jails die with it. */
const STOP_MS = 4500;

const { values } = parseArgs({ options: { fake: { type: "boolean", default: false } } });

async function main(): Promise<void> {
  const config = readConfig(env);
  hideFromSdk();
  if (config.isolation === "none") {
    stderr.write(
      "RBS_ISOLATION=none: browsers share this machine's network and processes. A page can reach the DevTools of other " +
        "browsers and every local service. Use it only where you trust every page and every user.\n",
    );
  }
  const service = await startService(config, { isFake: values.fake });
  for (const warning of service.warnings) stderr.write(`${warning}\n`);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    // Not once: npm passes on the SIGINT that the terminal sends as well, and the second would end the process at once.
    process.on(signal, () => {
      setTimeout(() => exit(1), config.drainMs + STOP_MS).unref();
      void service.stop().then(() => exit(0));
    });
  }
  const hasProgram = existsSync("docs/first-browser.ts");
  stdout.write(introduce(service, { environment: env, publicUrl: config.publicUrl, isFake: values.fake, hasProgram }));
  stdout.write(announce(service, await service.ready()));
}

/** The provider's SDK takes more from here than it is given: with ANTHROPIC_CUSTOM_HEADERS another key, for one. */
function hideFromSdk(): void {
  for (const name of Object.keys(env)) if (name.startsWith("ANTHROPIC_")) delete env[name];
}

main().catch((error: unknown) => {
  stderr.write(`The server could not start.\n${toText(error)}\n`);
  exit(1);
});

/** What went wrong and what was behind it, without a stack: it is for the person who typed the command. */
function toText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}\n${toText(error.cause)}`;
}
