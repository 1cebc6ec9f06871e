import { findExecutables, readBuildTime, readVersion } from "../../adapters/chromium/launch/executables.ts";
import { newPinoLog } from "../../adapters/pino/pino-log.ts";
import { findSandboxBlocker } from "../../adapters/linux/sandbox-trials.ts";
import { canUseOwnUsers } from "../../adapters/linux/status.ts";
import { hasXvnc } from "../../adapters/xvnc/xvnc.ts";
import { systemClock } from "../../adapters/node/system-clock.ts";
import type { Config } from "../../config/config.ts";
import { type Blocker, NEEDS, NEED_NAMES } from "../../domain/browser/blocker.ts";
import type { BrowserKind } from "../../domain/browser/browser-kind.ts";
import { DAY_MS } from "../../domain/durations.ts";
import type { BrowserHost } from "../../ports/browser-host.ts";
import { ordinaryRights } from "../../ports/rights.ts";
import { findClockFault } from "../../services/health/clock-watch.ts";
import { chromiumPlatform } from "./browser-host.ts";
import { toNotedTime } from "./storage.ts";

/** Time limit for opening a browser. */
const OPEN_MS = 60_000;

export type ExaminedBrowser = {
  readonly kind: BrowserKind;
  readonly version: string;
  /** False for a browser with a screen, which is tested only if Xvnc is installed. */
  readonly isHeadless: boolean;
  /** Days since the browser's package was built. */
  readonly ageDays: number;
  /** Duration of the start, or the reason why it failed. */
  readonly opened: { readonly ms: number } | { readonly problem: string };
};

type Tried = Pick<ExaminedBrowser, "kind" | "isHeadless">;

/** The machine's capabilities, and their consequences for browsers. */
export type Examination = {
  /**
   * Whether each requirement is met, by name, in order of dependency. Undefined if untested because an earlier
   * requirement isn't met.
   */
  readonly needs: Readonly<Record<string, boolean | undefined>>;
  /** The reason why sandboxes can't be created; undefined if they can. */
  readonly blocker: Blocker | undefined;
  /** The reason why a protection is missing, by the protection's name; undefined if it works. */
  readonly protections: Readonly<Record<string, string | undefined>>;
  readonly browsers: readonly ExaminedBrowser[];
  /** Why the machine's clock would prevent a server from opening browsers; undefined if it wouldn't. */
  readonly clockFault: string | undefined;
};

/** Tests the server's requirements, and opens a browser of each installed kind. */
export async function examine(config: Config): Promise<Examination> {
  const blocker = await findSandboxBlocker();
  const failed = blocker === undefined ? NEEDS.length : NEEDS.indexOf(blocker.need);
  const needs = NEEDS.map((need, at) => [NEED_NAMES[need], at === failed ? false : at < failed || undefined] as const);
  const { browsers, bounds } = await examineBrowsers(config);
  return {
    needs: Object.fromEntries(needs),
    blocker,
    protections: {
      "Each browser has its own files, processes and network": whyNotApart(config, blocker !== undefined),
      "Each browser has its own user": canUseOwnUsers(config.isolation)
        ? undefined
        : "only a server started by root, outside a container, can give each browser its own user",
      "Control groups limit each browser's memory and share processor time among browsers":
        bounds === undefined ? "browsers have no limits" : bounds.withoutGroups,
    },
    browsers,
    // With PostgreSQL, the server compares its clock with the database's.
    clockFault:
      config.database === undefined ? findClockFault(await toNotedTime(config).read(), systemClock.now()) : undefined,
  };
}

function whyNotApart({ isolation }: Config, isBlocked: boolean): string | undefined {
  if (isolation === "none") return "RBS_ISOLATION is none";
  return isBlocked ? "sandboxes can't be created" : undefined;
}

async function examineBrowsers(config: Config): Promise<Pick<Examination, "browsers"> & Pick<BrowserHost, "bounds">> {
  const installed = [...findExecutables()];
  const describe = async (tryOut: (tried: Tried) => Promise<ExaminedBrowser["opened"]>) => {
    const browsers: ExaminedBrowser[] = [];
    for (const [kind, { path }] of installed) {
      const builtAt = readBuildTime(path) ?? new Date();
      const ageDays = Math.floor((systemClock.now().getTime() - builtAt.getTime()) / DAY_MS);
      const version = (await readVersion(path)) ?? "";
      for (const isHeadless of kind === "chrome-headless-shell" || !hasXvnc() ? [true] : [true, false])
        browsers.push({ kind, version, isHeadless, ageDays, opened: await tryOut({ kind, isHeadless }) });
    }
    return browsers;
  };
  const ports = { clock: systemClock, log: newPinoLog({ level: "silent" }), rights: ordinaryRights };
  try {
    await using host = await chromiumPlatform.start(config, ports);
    return { browsers: await describe((tried) => tryLaunch(host, tried)), bounds: host.bounds };
  } catch (error) {
    const problem = (error as Error).message;
    return { browsers: await describe(async () => ({ problem })), bounds: undefined };
  }
}

async function tryLaunch(host: BrowserHost, tried: Tried): Promise<ExaminedBrowser["opened"]> {
  const startMs = performance.now();
  const options = { ...tried, isStealthy: true, switches: [], ignoredSwitches: [] };
  try {
    await using _browser = await host.launch(
      { ...options, id: tried.kind, proxy: "nowhere" },
      AbortSignal.timeout(OPEN_MS),
    );
    return { ms: performance.now() - startMs };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
