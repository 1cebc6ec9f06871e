import { type IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";

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
export class LimitedResponse extends ServerResponse {
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
  /** Bytes that the kernel had taken at the last check, and those of them since the check before. */
  taken: number;
  moved: number;
  /** Checks in a row in which bytes waited and none left. */
  stalledChecks: number;
};

/** Answers with unsent bytes. */
type Backlog = { unsent: number; readonly answers: Set<Answer> };

/**
 * Limits the memory of answers that clients don't read. If all of them together or those of one owner have too many
 * unsent bytes, it closes the connections of those whose bytes move least.
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
      for (const answer of inProgress) check(answer);
      if (inProgress.size > 0) schedule();
    });
  }

  function check(answer: Answer): void {
    const unsent = answer.response.writableLength;
    if (unsent > 0) note(answer);
    else answer.stalledChecks = 0;
    weigh(answer, unsent);
    if (answer.stalledChecks * CHECK_MS >= limits.stallMs) end(answer, "stalled");
  }

  function weigh(answer: Answer, unsent: number): void {
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
    if (own.unsent > limits.perOwner) endSlowest(own, limits.perOwner);
    if (all.unsent > limits.total) endSlowest(all, limits.total);
  }

  function endSlowest(backlog: Backlog, limit: number): void {
    for (const answer of [...backlog.answers].toSorted(bySlowness)) {
      if (backlog.unsent <= limit * (1 - FREED_SHARE) || backlog.answers.size === 1) return;
      end(answer, backlog === all ? "server" : "owner");
    }
  }

  function end(answer: Answer, limit: string): void {
    const { request, response, unsent } = answer;
    log.sample("answer.ended", { requestId: response.getHeader("X-Request-Id"), limit, unsent });
    forget(answer);
    request.socket.destroy();
  }

  function forget(answer: Answer): void {
    inProgress.delete(answer);
    weigh(answer, 0);
  }

  return (request, response) => {
    const answer = { request, response, unsent: 0, owner: undefined, taken: 0, moved: 0, stalledChecks: 0 };
    inProgress.add(answer);
    schedule();
    // The whole answer has been written then, and the kernel has taken what it had room for.
    response.once("prefinish", () => weigh(answer, response.writableLength));
    response.once("close", () => forget(answer));
  };
}

function newBacklog(): Backlog {
  return { unsent: 0, answers: new Set() };
}

function note(answer: Answer): void {
  const taken = countTaken(answer.request.socket);
  answer.moved = taken - answer.taken;
  answer.taken = taken;
  answer.stalledChecks = answer.moved > 0 ? 0 : answer.stalledChecks + 1;
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

/** The slowest first. Of those that have had no time to move, the largest. */
function bySlowness(one: Answer, other: Answer): number {
  return other.stalledChecks - one.stalledChecks || one.moved - other.moved || other.unsent - one.unsent;
}
