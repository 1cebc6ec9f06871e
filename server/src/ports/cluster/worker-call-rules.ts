import type { WorkerCalls } from "./worker-calls.ts";

/** The path prefix of calls, relative to the worker's URL. The call's name follows. */
export const CALL_PATH = "/cluster/v1/";

/** The version of the calls, their arguments and their results. Increment it in any release that changes them. */
export const CALLS_VERSION = 2;

/** The first version with proofs in calls instead of the cluster's secret, which earlier servers send and require. */
export const FIRST_PROVEN = 2;

/** The header in which a front-end sends its version. If it's absent, the version is 1. */
export const VERSION_HEADER = "X-Cluster-Version";

/**
 * The header with the id of the worker that a call is for. `openPlaced` adds the worker's instance after a space,
 * because the store accepts a browser only from the instance in its row. Other workers respond with 421. Earlier
 * versions don't use this header.
 */
export const WORKER_HEADER = "X-Cluster-Worker";

/**
 * Whether this server is compatible with a server of the given version. Versions may differ by one, so that servers can
 * be updated one at a time.
 */
export function isCompatible(version = 1): boolean {
  return Math.abs(version - CALLS_VERSION) <= 1;
}

/**
 * Whether this front-end calls workers of the given version. Front-ends never send the secret, not even to workers that
 * require it, because both the URL and the version in the database may be wrong. When moving from version 1, update
 * workers before front-ends.
 */
export function isCallable(version = 1): boolean {
  return isCompatible(version) && version >= FIRST_PROVEN;
}

/** Returns the URL of a call. @param url The worker's URL. */
export function toCallUrl(url: string, name: string): string {
  return url.replace(/\/+$/, "") + CALL_PATH + name;
}

export type WorkerCallName = keyof WorkerCalls;

/** The arguments that are sent: all but the signal. */
export type CallArguments<Name extends WorkerCallName> =
  Parameters<WorkerCalls[Name]> extends [...infer Sent, AbortSignal] ? Sent : Parameters<WorkerCalls[Name]>;

export type CallResult<Name extends WorkerCallName> = Awaited<ReturnType<WorkerCalls[Name]>>;

type CallRule<Name extends WorkerCallName> = {
  readonly hasSignal: Parameters<WorkerCalls[Name]> extends [...unknown[], AbortSignal] ? true : false;
  /** Whether the call may be repeated if its connection is lost. Calls that can't be repeated use a new connection. */
  readonly isRepeatable: boolean;
  /** Maximum time that the front-end waits for the result, in ms. */
  readonly maxMs: (sent: CallArguments<Name>) => number;
  /** The maximum size of the encoded result. */
  readonly maxBytes: number;
};

const DEFAULT_MS = 10_000;
const PING_MS = 5000;
/** Allows the worker time to wait until all processes have ended. */
const CLOSE_MS = 30_000;
/** Added to the worker's own time limit, to allow time for the response to arrive. */
const MARGIN_MS = 5000;
/** The worker's time limits for a picture and a screenshot, including the wait for a permit. */
const [PICTURE_MS, SCREENSHOT_MS] = [10_000, 20_000];

/** The size that most results don't exceed, in bytes. Longer results share a limit while they are being received. */
export const SHORT_ANSWER_BYTES = 2 ** 18;
/** A thumbnail of random noise is 1.6 MB, and a screenshot of the largest screen 67 MB. */
const [PICTURE_BYTES, SCREENSHOT_BYTES] = [4 * 2 ** 20, 96 * 2 ** 20];

const DEFAULT = {
  hasSignal: false,
  isRepeatable: true,
  maxMs: () => DEFAULT_MS,
  maxBytes: SHORT_ANSWER_BYTES,
} as const;
const CLOSE = { ...DEFAULT, maxMs: () => CLOSE_MS } as const;

/** The rules for all calls to workers. Omitting a call of `WorkerCalls` is a compile error. */
export const WORKER_CALLS: { readonly [Name in WorkerCallName]: CallRule<Name> } = {
  // Repeating this call could open a second browser.
  openPlaced: { ...DEFAULT, hasSignal: true, isRepeatable: false, maxMs: ([{ maxMs }]) => maxMs + MARGIN_MS },
  acknowledge: DEFAULT,
  // Uses a new connection, because it tests whether the worker accepts connections.
  ping: { ...DEFAULT, isRepeatable: false, maxMs: () => PING_MS },
  wait: { ...DEFAULT, hasSignal: true, maxMs: ([, , maxMs]) => maxMs + MARGIN_MS },
  close: CLOSE,
  closeMatching: CLOSE,
  closeAllOf: CLOSE,
  change: DEFAULT,
  startDesktop: DEFAULT,
  stopDesktop: DEFAULT,
  hasDesktop: DEFAULT,
  takePicture: { ...DEFAULT, hasSignal: true, maxMs: () => PICTURE_MS + MARGIN_MS, maxBytes: PICTURE_BYTES },
  takeScreenshot: { ...DEFAULT, hasSignal: true, maxMs: () => SCREENSHOT_MS + MARGIN_MS, maxBytes: SCREENSHOT_BYTES },
};

export function isWorkerCall(name: string): name is WorkerCallName {
  return Object.hasOwn(WORKER_CALLS, name);
}
