import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { env, exit, stderr, stdout } from "node:process";
import { didYouMean, misuse, startCommand } from "../../command-line/src/command-line.ts";
import { type Service, startService } from "./app/app.ts";
import { newFakePlatform } from "./app/compose/browser-host.ts";
import { usesWorkFolder } from "./app/compose/storage.ts";
import { OWN_MOUNTS, chooseIdentity } from "./app/compose/rights.ts";
import { ConfigError, readConfig } from "./config/config.ts";
import { IS_INSTALLED, START_COMMAND, VERSION } from "./cli/installed.ts";
import { announce, introduce } from "./cli/welcome.ts";

/** Maximum time to stop after the drain. After this time, the process exits anyway, which ends its sandboxes. */
const STOP_MS = 4500;

/** Default timeout for starting a browser. */
const MAX_START_MS = 30_000;

/** The exit code for invalid settings, which a restart can't fix: `EX_CONFIG` in sysexits(3). */
const WRONG_SETTINGS = 78;

/** Time within which npm may repeat a Ctrl-C from the terminal. Later signals come from the user. */
const REPEATED_MS = 500;

const USAGE = `${START_COMMAND} [OPTIONS]

Starts the server. Settings are environment variables: see docs/settings.md${IS_INSTALLED ? " in /usr/share/doc/remote-browser-service" : ""}.

  --fake        open fake browsers, which automation libraries can't drive
  --start-ms N  how long starts of fake browsers take on average, in ms (0)
${IS_INSTALLED ? "\nOther commands: admin, backup and doctor. Each has a --help of its own.\n" : ""}`;

const { values, positionals } = startCommand({
  usage: USAGE,
  version: VERSION,
  options: {
    fake: { type: "boolean", default: false },
    "start-ms": { type: "string", default: "0" },
    [OWN_MOUNTS]: { type: "boolean" },
  },
  // Only the installed program has commands.
  maxArguments: IS_INSTALLED ? Infinity : 0,
});
const [unknown] = positionals;
if (unknown !== undefined) {
  misuse(
    `There is no command ${JSON.stringify(unknown)}.${didYouMean(unknown, ["account", "admin", "backup", "doctor"])}`,
  );
}

async function main(): Promise<void> {
  const config = readConfig(env);
  const { rights, notes } = await chooseIdentity(config);
  hideFromSdk();
  for (const note of notes) stdout.write(`${note}\n`);
  if (config.isolation === "none") {
    stderr.write(
      "RBS_ISOLATION=none: browsers share this machine's network and processes. A page can reach the DevTools of other " +
        "browsers and all local services. Use this only if you trust every page and every user.\n",
    );
  }
  if (!usesWorkFolder(config) && !config.isWorkDirTemporary && !values.fake) {
    stderr.write(
      "RBS_WORK_DIR has no effect: sandboxes keep their files in memory. To use the folder, set RBS_BROWSER_DISK=disk.\n",
    );
  }
  const service = await startService(config, {
    rights,
    ...(values.fake ? { platform: newFakePlatform(readStartMs()) } : {}),
  });
  handleBugs(service);
  void service.failed?.then((error) => fail(service, error));
  void service.drained?.then(() => service.stop()).then(() => exit(0));
  for (const warning of service.warnings) stderr.write(`${warning}\n`);
  const stopping = stopOnSignals(service, config.drainMs);
  const { publicUrl, dataDir } = config;
  const hasProgram = existsSync("docs/first-browser.ts");
  await show(introduce(service, { environment: env, publicUrl, isFake: values.fake, hasProgram }), dataDir);
  const verdict = await service.ready();
  if (!stopping.aborted) stdout.write(announce(service, verdict));
}

function readStartMs(): number {
  const startMs = Number(values["start-ms"]);
  if (Number.isInteger(startMs) && startMs >= 0 && startMs <= MAX_START_MS) return startMs;
  misuse(`--start-ms must be a whole number from 0 to ${MAX_START_MS}, not ${JSON.stringify(values["start-ms"])}.`);
}

/** Prints secrets only to a terminal, because other output often ends up in logs. */
async function show(welcome: string, dataDir: string): Promise<void> {
  if (welcome === "" || stdout.isTTY) {
    stdout.write(welcome);
    return;
  }
  const file = join(dataDir, "first-account.txt");
  await rm(file, { force: true });
  await writeFile(file, welcome, { mode: 0o600, flag: "wx" });
  stdout.write(`The first account's password and token are in ${file}. Save them, then delete the file.\n`);
}

/**
 * Handles process signals. The first signal stops the server, and lets browsers drain. The second signal ends the drain
 * and closes browsers immediately. The third signal ends the process without waiting for browsers.
 * @returns An `AbortSignal` that the first process signal aborts.
 */
function stopOnSignals({ stop, endDrain }: Service, drainMs: number): AbortSignal {
  const stopping = new AbortController();
  const exitAfter = (ms: number): void => void setTimeout(() => exit(1), ms).unref();
  const steps = [
    () => {
      stopping.abort();
      exitAfter(drainMs + STOP_MS);
      void stop().then(() => exit(0));
    },
    () => {
      exitAfter(STOP_MS);
      endDrain();
    },
    () => exit(1),
  ];
  let lastAt = -Infinity;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      const now = performance.now();
      if (now - lastAt <= REPEATED_MS) return;
      lastAt = now;
      steps.shift()?.();
    });
  }
  return stopping.signal;
}

/**
 * Logs bugs. An unhandled rejection affects only one request or browser, so the server continues. After an uncaught
 * exception, the server's state is unknown, so the process exits, which ends its sandboxes.
 */
function handleBugs({ log }: Service): void {
  process.on("unhandledRejection", (error) => log.error("server.unhandled_rejection", { error }));
  process.on("uncaughtException", (error) => {
    log.error("server.crashed", { error });
    void log.flush().then(() => exit(1));
  });
}

/** Exits when the server can no longer open browsers. All browsers have ended, so the drain is short. */
async function fail({ log, stop }: Service, error: Error): Promise<void> {
  log.error("server.failed", { error });
  await stop();
  exit(1);
}

/** Removes variables that the provider's SDK reads. ANTHROPIC_CUSTOM_HEADERS, for example, could replace the key. */
function hideFromSdk(): void {
  for (const name of Object.keys(env)) if (name.startsWith("ANTHROPIC_")) delete env[name];
}

main().catch((error: unknown) => {
  stderr.write(`The server could not start.\n${toText(error)}\n`);
  exit(error instanceof ConfigError ? WRONG_SETTINGS : 1);
});

/** Describes an error and its causes without a stack, for the operator who started the server. */
function toText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}\n${toText(error.cause)}`;
}
