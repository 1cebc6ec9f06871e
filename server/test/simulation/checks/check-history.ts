import {
  type Act,
  type History,
  type Ms,
  type Session,
  type Struck,
  certainlyOpen,
  killedAfter,
  mayGoInactive,
  workerOf,
} from "../history.ts";
import { type Violation, toViolations } from "./violations.ts";

/** Maximum time until all front-ends apply a new limit, and until a disabled account's browsers end, in ms. */
const [LIMIT_MS, DISABLED_MS] = [1000, 5000];
/** Time limit for closing a killed worker's old rows once it is ready again, in ms. */
const FREED_MS = 5000;
/**
 * Browsers without rows are a violation only after this many consecutive counts, because opening and closing take time.
 */
const MOST_EXCESS = 5;
/** Time limit for a client to detect that a fault has cut its connection, in ms. */
const CUT_MS = 2000;
/** End reasons that a client may receive although it didn't close the browser. */
const EXPECTED = new Set(["disabled"]);

/** Compares clients' observations with the invariants. */
export function checkHistory(history: History): Violation[] {
  const { sessions, faults, bursts, mistakes } = history;
  return [
    ...toViolations("1", "The account certainly had more open browsers than its limit allows", findOverlaps(history)),
    ...toViolations(
      "1",
      "When an account sent twice as many simultaneous Opens as its limit, the number that succeeded was not the limit",
      bursts.filter(({ limit, opened }) => opened !== limit),
    ),
    ...toViolations("4", "Two browsers had the same address", findShared(sessions, "address", "id")),
    ...toViolations("4", "A browser had two addresses", findShared(sessions, "id", "address")),
    ...toViolations(
      "4",
      "A browser was still reachable after the response to Close",
      sessions.filter((session) => session.isReachableAfterClose === true),
    ),
    ...toViolations(
      "6",
      "A browser ended although its worker was running and its client hadn't closed the browser",
      findLost(history),
    ),
    ...toViolations(
      "6",
      `A killed worker's rows still existed ${FREED_MS} ms after the worker was ready again`,
      faults.filter((fault) => isAlone(fault, faults) && fault.freedMs.some((ms) => ms > FREED_MS)),
    ),
    ...toViolations("7", "A disabled account opened a browser", findOpenedDisabled(history)),
    ...toViolations(
      "7",
      "A revoked token was still accepted",
      // Without the database, a front-end rejects every token.
      history.revoked.filter(({ status }) => status !== 401 && status !== 503),
    ),
    ...toViolations("8", "A connection was lost although its front-end and its worker were running", findCut(history)),
    ...toViolations(
      "10",
      "Requests with the same Idempotency-Key received two browsers",
      sessions.filter(({ received }) => new Set(received.map(({ id }) => id)).size > 1),
    ),
    ...toViolations("11", "A worker has browsers without a row", findExcess(history)),
    ...toViolations("other", "An unexpected problem occurred", mistakes),
  ];
}

/**
 * Finds the Opens after which more browsers were definitely open than allowed. Counts only browsers that were admitted
 * and still open. The limit at the last admission, which came after this Open request, applies.
 */
function findOverlaps(history: History): object[] {
  const byAccount = Map.groupBy(history.sessions, ({ account }) => account);
  return [...byAccount].flatMap(([account, sessions]) => {
    const spans = sessions.flatMap((session) => {
      const span = certainlyOpen(history, session);
      return span === undefined ? [] : [{ ...span, session }];
    });
    return spans.flatMap(({ fromMs, session }) => {
      const open = spans.filter((span) => span.fromMs <= fromMs && fromMs < span.toMs).length;
      const limit = limitOf(history, account, session.requestedMs, fromMs);
      return open > limit ? [{ account, label: session.label, open, limit }] : [];
    });
  });
}

/** Returns the highest limit that an account could have had between two timestamps. */
function limitOf({ limits, acts }: History, account: string, fromMs: Ms, toMs: Ms): number {
  let limit = limits.get(account) ?? Infinity;
  for (const { is, requestedMs, committedMs } of acts.filter((act) => act.account === account)) {
    if (typeof is !== "object" || requestedMs > toMs) continue;
    const next = is.limit ?? Infinity;
    limit = committedMs + LIMIT_MS <= fromMs ? next : Math.max(limit, next);
  }
  return limit;
}

/** Finds values of `one` that occur with several values of `other`. */
function findShared(sessions: readonly Session[], one: "id" | "address", other: "id" | "address"): object[] {
  const all = Map.groupBy(
    sessions.flatMap(({ received }) => received),
    (received) => received[one],
  );
  return [...all].flatMap(([value, received]) => {
    const others = new Set(received.map((each) => each[other]));
    return others.size > 1 ? [{ [one]: value, [other]: [...others] }] : [];
  });
}

/** Returns whether no other fault struck at the same time. */
function isAlone(fault: Struck, all: readonly Struck[]): boolean {
  return all.every((other) => other === fault || other.fromMs >= fault.toMs || other.toMs <= fault.fromMs);
}

function findExcess({ counts }: History): object[] {
  const times = new Map<string, number>();
  return counts.filter(({ server, browsers, rows }) => {
    const inARow = browsers > rows ? (times.get(server) ?? 0) + 1 : 0;
    times.set(server, inARow);
    return inARow === MOST_EXCESS;
  });
}

function findLost(history: History): object[] {
  return history.sessions.flatMap((session) => {
    const { end, connectedMs, answeredMs = 0, label } = session;
    // If a browser is never used, the server eventually closes it.
    if (end === undefined || connectedMs === undefined || EXPECTED.has(end.reason)) return [];
    if (session.crashedMs !== undefined) return [];
    const killedMs = killedAfter(history, workerOf(session), answeredMs);
    if (killedMs !== undefined && killedMs <= end.atMs) return [];
    if (wasDisabled(history, session, end.atMs) || mayGoInactive(session)) return [];
    return [{ label, worker: workerOf(session), end }];
  });
}

type Loss = { readonly atMs: Ms; readonly front: string };

/** Finds connections that were lost even though no fault had cut them. */
function findCut({ sessions, faults }: History): object[] {
  // When a stopped front-end resumes, it forwards the end of a connection. After a network failure, TCP doubles the
  // time between retransmissions, so the end arrives within a period as long as the failure.
  const knownMs = ({ name, fromMs, toMs }: Struck): Ms =>
    toMs + (name === "cut worker off from the front-ends" ? toMs - fromMs : 0);
  const seenMs = ({ fromMs, toMs }: Struck): Ms =>
    Math.max(...faults.filter((other) => other.fromMs <= toMs && other.toMs >= fromMs).map(knownMs));
  const cutters = faults.map((fault) => ({ ...fault, byMs: seenMs(fault) + CUT_MS }));
  return sessions.flatMap((session) => {
    const worker = workerOf(session) ?? "";
    const isCut = ({ atMs, front }: Loss): boolean =>
      cutters.some(
        ({ cuts, fromMs, byMs }) => (cuts.includes(worker) || cuts.includes(front)) && fromMs <= atMs && atMs <= byMs,
      );
    const lost = (session.losses ?? []).filter((loss) => !isCut(loss));
    const before = ({ atMs, front }: Loss): object[] =>
      faults
        .filter(({ cuts, fromMs }) => (cuts.includes(worker) || cuts.includes(front)) && fromMs <= atMs)
        .map(({ name, fromMs, toMs }) => ({ name, beganMs: fromMs - atMs, endedMs: toMs - atMs }));
    return lost.map((loss) => ({ label: session.label, worker, ...loss, before: before(loss) }));
  });
}

/** Returns whether the browser's account was disabled while the browser was open. */
function wasDisabled({ acts }: History, { account, answeredMs = 0 }: Session, untilMs: Ms): boolean {
  const isIt = (act: Act): boolean => act.account === account && act.is === "disabled";
  return acts.some((act) => isIt(act) && act.committedMs >= answeredMs && act.requestedMs <= untilMs);
}

function findOpenedDisabled({ acts, sessions }: History): object[] {
  return acts
    .filter(({ is }) => is === "disabled")
    .flatMap(({ account, committedMs }) => {
      const again = acts.find(
        (act) => act.account === account && act.is === "enabled" && act.requestedMs > committedMs,
      );
      const isLate = (session: Session): boolean =>
        session.account === account &&
        session.requestedMs > committedMs &&
        (session.answeredMs ?? Infinity) < (again?.requestedMs ?? Infinity);
      return sessions.filter(isLate).map(({ label }) => ({ account, label }));
    });
}

/**
 * Returns the time by which a disabled account's last browsers must have ended. A stopped server can't end its
 * browsers.
 */
export function disabledEnds({
  acts,
  faults,
}: History): { readonly account: string; readonly fromMs: Ms; readonly byMs: Ms }[] {
  return acts
    .filter(({ is }) => is === "disabled")
    .map(({ account, requestedMs, committedMs }) => {
      const byMs = committedMs + DISABLED_MS;
      const later = faults
        .filter(({ fromMs, toMs }) => fromMs < byMs && toMs > requestedMs)
        .map(({ toMs }) => toMs + DISABLED_MS);
      return { account, fromMs: requestedMs, byMs: Math.max(byMs, ...later) };
    });
}
