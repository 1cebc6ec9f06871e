import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../machine/free-port.ts";
import { PATIENCE } from "../until.ts";

const EXECUTABLE = "/usr/lib/chromium/chromium-headless-shell";
const START_MS = 15_000 * PATIENCE;

/** A real browser without a sandbox. */
export type Chromium = AsyncDisposable & {
  readonly port: number;
  readonly devtoolsPath: string;
  readonly pid: number;
  /** Resolves when the process has exited. */
  readonly gone: Promise<void>;
};

/** @param switches Additional switches. */
export async function openChromium(switches: readonly string[] = []): Promise<Chromium> {
  const folder = await mkdtemp(join(tmpdir(), "gateway-chromium-"));
  const port = await freePort();
  const browser = spawn(
    EXECUTABLE,
    [
      "--no-sandbox",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      `--remote-debugging-port=${port}`,
      `--user-data-dir=${folder}`,
      ...switches,
      "about:blank",
    ],
    { stdio: "ignore" },
  );
  const gone = once(browser, "exit").then(() => {});
  const dispose = async (): Promise<void> => {
    browser.kill("SIGKILL");
    await gone;
    // Chromium's child processes may still be writing.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  try {
    return {
      port,
      devtoolsPath: await readDevtoolsPath(port),
      pid: browser.pid ?? 0,
      gone,
      [Symbol.asyncDispose]: dispose,
    };
  } catch (cause) {
    await dispose();
    throw cause;
  }
}

async function readDevtoolsPath(port: number): Promise<string> {
  const deadline = AbortSignal.timeout(START_MS);
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/json/version`).catch(() => undefined);
    if (answer) {
      const { webSocketDebuggerUrl } = (await answer.json()) as { webSocketDebuggerUrl: string };
      return new URL(webSocketDebuggerUrl).pathname;
    }
    await wait(20, undefined, { signal: deadline });
  }
}
