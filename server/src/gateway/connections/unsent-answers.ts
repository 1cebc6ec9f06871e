import { type IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";

/** Interval between checks of how much clients have read. */
const CHECK_MS = 1000;

/** Once a limit is exceeded, responses are aborted until this share of the limit is free. */
const FREED_SHARE = 1 / 8;

export type UnsentLimits = {
  /** Maximum number of unsent bytes across all responses. */
  readonly total: number;
  /** Maximum number of unsent bytes in an owner's responses. A single response may exceed this limit. */
  readonly perOwner: number;
  /** A response is aborted after the client has read none of its unsent bytes for this long. */
  readonly stallMs: number;
};

type UnsentOptions = {
  readonly limits: UnsentLimits;
  /** Returns the owner of a response for which `setAnswerOwner` wasn't called. */
  readonly toCaller: (request: IncomingMessage) => string;
  readonly clock: Pick<Clock, "after">;
  readonly log: Pick<Log, "sample">;
};

/** Longer strings are converted to bytes. */
const LONG = 65_536;

/** Sends long strings as bytes. Node uses four times a string's length in memory until the kernel accepts it. */
export class ByteResponse extends ServerResponse {
  override end(...[chunk, ...rest]: unknown[]): this {
    const sent = typeof chunk === "string" && chunk.length > LONG && rest.length === 0 ? Buffer.from(chunk) : chunk;
    return super.end(...([sent, ...rest] as Parameters<ServerResponse["end"]>));
  }
}

const owners = new WeakMap<ServerResponse, string>();

/** Sets a response's owner, such as an account. The response's unsent bytes count towards the owner's limit. */
export function setAnswerOwner(answer: ServerResponse, owner: string): void {
  owners.set(answer, owner);
}

type Answer = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Bytes buffered in this process that the kernel hasn't accepted yet. */
  unsent: number;
  /** Undefined until the response has unsent bytes. */
  owner?: string;
  /** Bytes of the connection that the kernel had accepted at the last check. Undefined if no bytes were unsent. */
  taken?: number | undefined;
  /** Bytes that the kernel accepted between the last two checks; undefined unless both found unsent bytes. */
  moved?: number | undefined;
  /** Number of consecutive checks in which bytes were unsent and the kernel didn't accept any of them. */
  stalledChecks: number;
};

/** Responses with unsent bytes. */
type Backlog = { unsent: number; readonly answers: Set<Answer> };

/**
 * Limits the memory used by responses that clients don't read. If all responses together, or those belonging to one
 * owner, have too many unsent bytes, closes the connections whose responses would take longest to send.
 * @returns A listener to call for each request in turn, with a timer that runs only while responses are in progress.
 */
export function limitUnsentAnswers({ limits, toCaller, clock, log }: UnsentOptions): RequestListener {
  const inProgress = new Set<Answer>();
  const all = newBacklog();
  const byOwner = new Map<string, Backlog>();
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    clock.after(CHECK_MS, () => {
      isScheduled = false;
      check();
      if (inProgress.size > 0) schedule();
    });
  }

  function check(): void {
    for (const answer of inProgress) {
      observe(answer);
      count(answer, answer.response.writableLength);
      if (answer.stalledChecks * CHECK_MS >= limits.stallMs) end(answer, "stalled");
    }
    for (const own of byOwner.values()) {
      // Consider only responses with unsent bytes in two checks: clients may need more time to read newer responses.
      const known = [...own.answers].filter(({ moved }) => moved !== undefined);
      if (own.unsent > limits.perOwner) free(own, limits.perOwner, known.toSorted(bySlowness), "owner");
    }
    limitAll();
  }

  function limitAll(): void {
    if (all.unsent <= limits.total) return;
    const isAboveShare = ({ owner = "" }: Answer): number =>
      Number((byOwner.get(owner)?.unsent ?? 0) > limits.perOwner);
    const sorted = [...all.answers].toSorted(
      (one, other) => isAboveShare(other) - isAboveShare(one) || bySlowness(one, other),
    );
    free(all, limits.total, sorted, "server");
  }

  function free(backlog: Backlog, limit: number, answers: readonly Answer[], name: string): void {
    for (const answer of answers) {
      if (backlog.unsent <= limit * (1 - FREED_SHARE) || backlog.answers.size === 1) return;
      end(answer, name);
    }
  }

  function count(answer: Answer, unsent: number): void {
    if (unsent === answer.unsent) return;
    const owner = (answer.owner ??= owners.get(answer.response) ?? toCaller(answer.request));
    const own = byOwner.get(owner) ?? newBacklog();
    byOwner.set(owner, own);
    for (const backlog of [all, own]) {
      backlog.unsent += unsent - answer.unsent;
      backlog.answers[unsent > 0 ? "add" : "delete"](answer);
    }
    answer.unsent = unsent;
    if (own.answers.size === 0) byOwner.delete(owner);
  }

  function end(answer: Answer, limit: string): void {
    const { request, response, unsent } = answer;
    log.sample("answer.ended", { requestId: response.getHeader("X-Request-Id"), limit, unsent });
    forget(answer);
    request.socket.destroy();
  }

  function forget(answer: Answer): void {
    inProgress.delete(answer);
    count(answer, 0);
  }

  return (request, response) => {
    const answer: Answer = { request, response, unsent: 0, stalledChecks: 0 };
    inProgress.add(answer);
    schedule();
    // When this fires, the whole response has been written, and the kernel has accepted as much as fits in its buffers.
    response.once("prefinish", () => {
      count(answer, response.writableLength);
      limitAll();
    });
    response.once("close", () => forget(answer));
  };
}

function newBacklog(): Backlog {
  return { unsent: 0, answers: new Set() };
}

function observe(answer: Answer): void {
  const taken = answer.response.writableLength > 0 ? countTaken(answer.request.socket) : undefined;
  answer.moved = taken === undefined || answer.taken === undefined ? undefined : taken - answer.taken;
  answer.taken = taken;
  answer.stalledChecks = answer.moved === 0 ? answer.stalledChecks + 1 : 0;
}

/**
 * Returns how many of a connection's bytes the kernel has accepted. The socket's `bytesWritten` and `writableLength`
 * count a large chunk as a whole until its last byte is sent. Only the handle, which Node's own timeout also uses,
 * shows how much of a chunk has been sent.
 */
function countTaken(socket: Socket): number {
  const { _handle: handle } = socket as unknown as {
    readonly _handle: { readonly bytesWritten: number; readonly writeQueueSize: number } | null;
  };
  return handle === null ? 0 : handle.bytesWritten - handle.writeQueueSize;
}

/** Returns how many checks the client needs to read the rest at its current speed; negative if the speed is unknown. */
function toTimeLeft({ moved, unsent }: Answer): number {
  return moved === undefined ? -1 : unsent / moved;
}

/** Orders the slowest responses first and responses of unknown speed last; among the latter, the largest first. */
function bySlowness(one: Answer, other: Answer): number {
  const [left, otherLeft] = [toTimeLeft(one), toTimeLeft(other)];
  return left === otherLeft ? other.unsent - one.unsent : otherLeft - left;
}
