import { readKey, readWorkerId } from "../../src/domain/browser/address.ts";

/** Moments are milliseconds of this machine's clock, which the database also reads. */
export type Ms = number;

/** A browser as an Open request returned it. */
export type Received = { readonly id: string; readonly address: string };

/** A request to open a browser, with what became of the browser, as its client saw it. */
export type Session = {
  /** The browser's label, which also is the Idempotency-Key if `isKeyed`. */
  readonly label: string;
  readonly account: string;
  readonly isKeyed: boolean;
  /** Whether it waits for a place. */
  readonly waits: boolean;
  readonly requestedMs: Ms;
  /** When the first answer arrived that had a browser. */
  answeredMs?: Ms;
  /** How long the request took that this answered. Others may have failed before. */
  tookMs?: Ms;
  /** All answers that had one: with a key, they are the same. */
  readonly received: Received[];
  /** The name of the refusal, or `lost` if no request was answered. */
  refusal?: string;
  /** When the browser first answered the client. */
  connectedMs?: Ms;
  /** When its client began to crash the browser. */
  crashedMs?: Ms;
  closeRequestedMs?: Ms;
  /** The statuses of the answers to Close. */
  closeAnswers?: readonly (number | "lost")[];
  /** When a connection to the browser was lost, with the id of the front-end that relayed it. */
  losses?: { readonly atMs: Ms; readonly front: string; readonly code: number }[];
  /** When the client was told that the browser has ended, and why. */
  end?: { readonly atMs: Ms; readonly reason: string };
  /** Set if the browser's address still worked after Close had been answered. */
  isReachableAfterClose?: boolean;
};

/** An act of an operator, which holds from some moment between the two. */
export type Act = {
  readonly account: string;
  readonly is: { readonly limit: number | undefined } | "disabled" | "enabled";
  readonly requestedMs: Ms;
  committedMs: Ms;
};

/** A fault, from its beginning to the moment when all servers run again. */
export type Struck = {
  readonly name: string;
  readonly target: string;
  readonly fromMs: Ms;
  toMs: Ms;
  /** Ids of the workers that it killed. */
  readonly killed: readonly string[];
  /** Ids of the servers whose connections with clients it may cut. */
  readonly cuts: readonly string[];
  /** For each killed worker, how long after it was ready again its old rows were gone, in ms. */
  readonly freedMs: number[];
};

/** A number of simultaneous Opens, for an account with this limit and without browsers. */
export type Burst = {
  readonly account: string;
  readonly limit: number;
  readonly opened: number;
  readonly asked: number;
};

/** How many browsers a worker had, and how many rows, at the same moment. */
export type Count = { readonly server: string; readonly browsers: number; readonly rows: number };

/** What clients and operators did and saw. */
export type History = {
  /** Limits of the accounts at the beginning, by their ids; undefined: none. */
  readonly limits: Map<string, number | undefined>;
  readonly sessions: Session[];
  readonly acts: Act[];
  readonly faults: Struck[];
  readonly bursts: Burst[];
  /** Opens that were measured: how many browsers were open during them, and the labels of their sessions. */
  readonly measured: { readonly open: number; readonly sessions: readonly string[] }[];
  /** The answers of front-ends to a token, a second after it had been revoked. */
  readonly revoked: { readonly front: string; readonly status: number }[];
  /** In the order in which they were taken, at most once in three seconds for each worker. */
  readonly counts: Count[];
  /** What must not happen and no other entry shows, one sentence each. */
  readonly mistakes: string[];
};

export function newHistory(): History {
  const lists = { sessions: [], acts: [], faults: [], bursts: [], measured: [], revoked: [], counts: [], mistakes: [] };
  return { limits: new Map(), ...lists };
}

/** The worker that has, or had, a session's browser. */
export function workerOf({ received: [first] }: Session): string | undefined {
  return readWorkerId(readKey(first?.address ?? "") ?? "");
}

/** Whether the browser doesn't stay without a client: the client would have left, but the answer came first. */
export function mayGoInactive({ refusal }: Session): boolean {
  return refusal === "left";
}

/** When the worker was killed first after a moment. */
export function killedAfter({ faults }: History, worker: string | undefined, fromMs: Ms): Ms | undefined {
  return faults.find(({ killed, toMs }) => toMs > fromMs && worker !== undefined && killed.includes(worker))?.fromMs;
}

/**
 * The time in which a browser was certainly open: from the answer to Open until Close was requested, its client crashed
 * it, its account was being disabled, or its worker was about to be killed. Unused browsers may have been undone then.
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
