import { readKey, readWorkerId } from "../../src/domain/browser/address.ts";

/** Milliseconds since the epoch on this machine's clock, which the database also uses. */
export type Ms = number;

/** A browser as returned by an Open request. */
export type Received = { readonly id: string; readonly address: string };

/** A request to open a browser, and the client's observations of the browser. */
export type Session = {
  /** The browser's label, also used as the Idempotency-Key if `isKeyed` is set. */
  readonly label: string;
  readonly account: string;
  readonly isKeyed: boolean;
  /** Whether the request waits if the account has reached its limit. */
  readonly waits: boolean;
  readonly requestedMs: Ms;
  /** Time of the first response that contained a browser. */
  answeredMs?: Ms;
  /** Duration of the request that received the first response with a browser. Earlier requests may have failed. */
  tookMs?: Ms;
  /** The browsers in all responses. With an Idempotency-Key, all responses must contain the same browser. */
  readonly received: Received[];
  /** The name of the refusal, or `lost` if no request received a response. */
  refusal?: string;
  /** When the browser first answered the client. */
  connectedMs?: Ms;
  /** When the client began to crash the browser. */
  crashedMs?: Ms;
  closeRequestedMs?: Ms;
  /** The statuses of the responses to Close. */
  closeAnswers?: readonly (number | "lost")[];
  /** Lost connections to the browser, with the id of the front-end that relayed them. */
  losses?: { readonly atMs: Ms; readonly front: string; readonly code: number }[];
  /** The time and reason of the browser's end, as reported to the client. */
  end?: { readonly atMs: Ms; readonly reason: string };
  /** Set if the browser's address still worked after the response to Close. */
  isReachableAfterClose?: boolean;
};

/** An operator's change, which takes effect between `requestedMs` and `committedMs`. */
export type Act = {
  readonly account: string;
  readonly is: { readonly limit: number | undefined } | "disabled" | "enabled";
  readonly requestedMs: Ms;
  committedMs: Ms;
};

/** A fault, from its start until all servers are running again. */
export type Struck = {
  readonly name: string;
  readonly target: string;
  readonly fromMs: Ms;
  toMs: Ms;
  /** Ids of the workers that the fault killed. */
  readonly killed: readonly string[];
  /** Ids of the servers whose client connections the fault may cut. */
  readonly cuts: readonly string[];
  /** For each killed worker, the time between becoming ready again and closing its old rows, in ms. */
  readonly freedMs: number[];
};

/** Simultaneous Opens for an account that has a limit and no open browsers. */
export type Burst = {
  readonly account: string;
  readonly limit: number;
  readonly opened: number;
  readonly asked: number;
};

/** A worker's numbers of browsers and rows, counted at the same time. */
export type Count = { readonly server: string; readonly browsers: number; readonly rows: number };

/** The actions and observations of clients and operators. */
export type History = {
  /** Initial limits by account id; undefined: no limit. */
  readonly limits: Map<string, number | undefined>;
  readonly sessions: Session[];
  readonly acts: Act[];
  readonly faults: Struck[];
  readonly bursts: Burst[];
  /** Measured Opens: the number of open browsers, and the labels of the sessions. */
  readonly measured: { readonly open: number; readonly sessions: readonly string[] }[];
  /** How front-ends responded to a token one second after its revocation. */
  readonly revoked: { readonly front: string; readonly status: number }[];
  /** Counts in chronological order, at most one per worker every three seconds. */
  readonly counts: Count[];
  /** Other problems, each described in one sentence. */
  readonly mistakes: string[];
};

export function newHistory(): History {
  const lists = { sessions: [], acts: [], faults: [], bursts: [], measured: [], revoked: [], counts: [], mistakes: [] };
  return { limits: new Map(), ...lists };
}

/** Returns the worker that runs or ran a session's browser. */
export function workerOf({ received: [first] }: Session): string | undefined {
  return readWorkerId(readKey(first?.address ?? "") ?? "");
}

/** Returns whether the browser may close for inactivity, because the client left while the response was arriving. */
export function mayGoInactive({ refusal }: Session): boolean {
  return refusal === "left";
}

/** Returns when a worker was first killed after a timestamp. */
export function killedAfter({ faults }: History, worker: string | undefined, fromMs: Ms): Ms | undefined {
  return faults.find(({ killed, toMs }) => toMs > fromMs && worker !== undefined && killed.includes(worker))?.fromMs;
}

/**
 * Returns the period in which a browser was definitely open: from the response to Open until the browser ended, Close
 * was requested, the client crashed the browser, disabling the account was requested, or the worker was killed.
 * Undefined for unused browsers, because the server may close them.
 */
export function certainlyOpen(
  history: History,
  session: Session,
): { readonly fromMs: Ms; readonly toMs: Ms } | undefined {
  const { answeredMs, connectedMs, crashedMs, closeRequestedMs, end, account } = session;
  if (answeredMs === undefined || connectedMs === undefined || mayGoInactive(session)) return undefined;
  const disabled = history.acts.filter(
    (act) => act.account === account && act.is === "disabled" && act.committedMs >= answeredMs,
  );
  const killed = killedAfter(history, workerOf(session), answeredMs);
  const ends = [crashedMs, closeRequestedMs, end?.atMs, killed, ...disabled.map(({ requestedMs }) => requestedMs)];
  const toMs = Math.min(...ends.map((atMs) => atMs ?? Infinity));
  return toMs > answeredMs ? { fromMs: answeredMs, toMs } : undefined;
}
