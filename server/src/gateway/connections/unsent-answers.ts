import { type IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";

/** How often the server checks what clients have read. */
const CHECK_MS = 1000;

/** When there are too many unsent bytes, answers are ended until this share of the limit is free. */
const FREED_SHARE = 1 / 8;

export type UnsentLimits = {
  /** Unsent bytes of all answers. */
  readonly total: number;
  /** Unsent bytes of one owner's answers, unless it is a single answer. */
  readonly perOwner: number;
  /** An answer is ended when none of its unsent bytes has left for this long. */
  readonly stallMs: number;
};

type UnsentOptions = {
  readonly limits: UnsentLimits;
  /** Who has asked for an answer without an owner. */
  readonly toCaller: (request: IncomingMessage) => string;
  readonly clock: Pick<Clock, "after">;
  readonly log: Pick<Log, "sample">;
};

/** A text of this length is sent as bytes. */
const LONG = 65_536;

/** Sends long texts as bytes. For a string that the kernel doesn't take, Node would hold four times its length. */
export class ByteResponse extends ServerResponse {
  override end(...[chunk, ...rest]: unknown[]): this {
    const sent = typeof chunk === "string" && chunk.length > LONG && rest.length === 0 ? Buffer.from(chunk) : chunk;
    return super.end(...([sent, ...rest] as Parameters<ServerResponse["end"]>));
  }
}

const owners = new WeakMap<ServerResponse, string>();

/** The unsent bytes of an answer count for its owner, such as an account. By default, that is the caller's address. */
export function setAnswerOwner(answer: ServerResponse, owner: string): void {
  owners.set(answer, owner);
}

type Answer = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Bytes that wait in this process until the kernel takes them. */
  unsent: number;
  /** Undefined until there are such bytes. */
  owner: string | undefined;
  /** Bytes of the connection that the kernel had taken at the last check. Undefined if none waited then. */
  taken: number | undefined;
  /** Bytes that the kernel took between the last two checks. Undefined unless bytes waited in both. */
  moved: number | undefined;
  /** Checks in a row in which bytes waited and none left. */
  stalledChecks: number;
};

/** Answers with unsent bytes. */
type Backlog = { unsent: number; readonly answers: Set<Answer> };

/**
 * Limits the memory of answers that clients don't read. If all of them together or all of one owner have too many
 * unsent bytes, it closes the connections of the answers that would take longest.
 * @returns A listener for requests whose turn has come. Its timer runs only while there are any.
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
      // Answers that have waited for two checks. Until then, a client may not have had time to read.
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
    const answer = {
      request,
      response,
      unsent: 0,
      stalledChecks: 0,
      owner: undefined,
      taken: undefined,
      moved: undefined,
    };
    inProgress.add(answer);
    schedule();
    // The whole answer has been written then, and the kernel has taken what it had room for.
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
 * Bytes of a connection that the kernel has taken. A chunk of many megabytes counts in `bytesWritten` and
 * `writableLength` as a whole until its last byte has left. Only the handle knows how much of it has left. Node's own
 * timeout asks the handle as well.
 */
function countTaken(socket: Socket): number {
  const { _handle: handle } = socket as unknown as {
    readonly _handle: { readonly bytesWritten: number; readonly writeQueueSize: number } | null;
  };
  return handle === null ? 0 : handle.bytesWritten - handle.writeQueueSize;
}

/** How many checks the client will take to read it at its speed so far; negative if that isn't known yet. */
function toTimeLeft({ moved, unsent }: Answer): number {
  return moved === undefined ? -1 : unsent / moved;
}

/** Those first that take longest; at the end, those whose speed isn't known yet, the largest of them first. */
function bySlowness(one: Answer, other: Answer): number {
  const [left, otherLeft] = [toTimeLeft(one), toTimeLeft(other)];
  return left === otherLeft ? other.unsent - one.unsent : otherLeft - left;
}
