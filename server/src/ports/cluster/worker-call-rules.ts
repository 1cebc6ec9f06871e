import type { WorkerCalls } from "./worker-calls.ts";

/** The path of a call to a worker, below the worker's URL; the call's name follows. */
export const CALL_PATH = "/cluster/v1/";

/** The version of the calls, of their arguments and of their results. A release that changes them raises it by one. */
export const CALLS_VERSION = 2;

/** Front-ends before this version send the cluster's secret itself, and workers before it demand that. */
export const FIRST_PROVEN = 2;

/** The header in which a front-end sends its version. Without it, the version is 1. */
export const VERSION_HEADER = "X-Cluster-Version";

/**
 * The header that names a call's worker by its id. `openPlaced` also names its start, after a space: the browser's row
 * does, and the store accepts no other start's browser. Other workers answer 421. Earlier versions send and read none.
 */
export const WORKER_HEADER = "X-Cluster-Worker";

/**
 * Whether this server works with one of another version. Versions may differ by one, so that servers can be updated one
 * at a time.
 */
export function isCompatible(version = 1): boolean {
  return Math.abs(version - CALLS_VERSION) <= 1;
}

/**
 * Whether this front-end calls workers of a version. It never sends the secret, not even to workers that demand it: the
 * version is in the database beside their URL, and may be just as wrong. So the first update to proofs begins with the
 * workers.
 */
export function isCallable(version = 1): boolean {
  return isCompatible(version) && version >= FIRST_PROVEN;
}

/** The URL of a call. @param url The worker's. */
export function toCallUrl(url: string, name: string): string {
  return url.replace(/\/+$/, "") + CALL_PATH + name;
}

export type WorkerCallName = keyof WorkerCalls;

/** The arguments of a call that travel: all but the signal. */
export type CallArguments<Name extends WorkerCallName> =
  Parameters<WorkerCalls[Name]> extends [...infer Sent, AbortSignal] ? Sent : Parameters<WorkerCalls[Name]>;

export type CallResult<Name extends WorkerCallName> = Awaited<ReturnType<WorkerCalls[Name]>>;

type CallRule<Name extends WorkerCallName> = {
  /** Whether its last argument is a signal. */
  readonly hasSignal: Parameters<WorkerCalls[Name]> extends [...unknown[], AbortSignal] ? true : false;
  /** Whether the same call may be sent again if its connection is lost. Otherwise, it gets a new connection. */
  readonly isRepeatable: boolean;
  /** How long a front-end waits for the result, in ms. */
  readonly maxMs: (sent: CallArguments<Name>) => number;
  /** How long the result may be, as it is sent. */
  readonly maxBytes: number;
};

const DEFAULT_MS = 10_000;
const PING_MS = 5000;
/** The worker ends as many processes at a time as it can, and waits for each. */
const CLOSE_MS = 30_000;
/** A worker answers after its own time limit, and the answer takes time. */
const MARGIN_MS = 5000;
/** What a picture and a screenshot may take on the worker, with the wait for a permit. */
const [PICTURE_MS, SCREENSHOT_MS] = [10_000, 20_000];

/** How long most results may be, in bytes. Longer results share a limit while they arrive. */
export const SHORT_ANSWER_BYTES = 2 ** 18;
/** A thumbnail of noise takes 1.6 MB, and a screenshot of the largest screen 67 MB. */
const [PICTURE_BYTES, SCREENSHOT_BYTES] = [4 * 2 ** 20, 96 * 2 ** 20];

const DEFAULT = {
  hasSignal: false,
  isRepeatable: true,
  maxMs: () => DEFAULT_MS,
  maxBytes: SHORT_ANSWER_BYTES,
} as const;
const CLOSE = { ...DEFAULT, maxMs: () => CLOSE_MS } as const;

/** All calls to workers. A call of `WorkerCalls` that isn't here doesn't compile. */
export const WORKER_CALLS: { readonly [Name in WorkerCallName]: CallRule<Name> } = {
  // Sent again, it could open a second browser.
  openPlaced: { ...DEFAULT, hasSignal: true, isRepeatable: false, maxMs: ([{ maxMs }]) => maxMs + MARGIN_MS },
  acknowledge: DEFAULT,
  // On a connection of its own, because it shows whether one can be made.
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
