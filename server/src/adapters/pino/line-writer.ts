import { constants, openSync, writeSync } from "node:fs";
import { stderr } from "node:process";

/** Lines that wait until their reader continues take at most this much memory. Further lines are dropped. */
const MAX_QUEUED_BYTES = 1024 * 1024;
const RETRY_MS = 50;

const STANDARD_ERROR = 2;

type WriterOptions = {
  /** A descriptor that refuses writes with EAGAIN instead of waiting for its reader. */
  readonly fd: number;
  readonly maxQueuedBytes?: number;
  /** Renders the line that reports how many lines were dropped. */
  readonly renderDropped: (lines: number) => string;
};

/**
 * Writes lines without ever waiting for their reader. A line is written before `write` returns, unless the reader is
 * behind: then lines are queued, and dropped when the queue is full.
 */
export class LineWriter implements Disposable {
  readonly #fd: number;
  readonly #maxQueuedBytes: number;
  readonly #renderDropped: (lines: number) => string;
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #dropped = 0;
  #unreported = 0;
  #retry: NodeJS.Timeout | undefined;
  #whenWritten = Promise.withResolvers<void>();

  constructor({ fd, maxQueuedBytes = MAX_QUEUED_BYTES, renderDropped }: WriterOptions) {
    this.#fd = fd;
    this.#maxQueuedBytes = maxQueuedBytes;
    this.#renderDropped = renderDropped;
  }

  /** Lines that were dropped so far. */
  get dropped(): number {
    return this.#dropped;
  }

  /** @param line Ends with a line break. */
  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.#queuedBytes + bytes.length > this.#maxQueuedBytes) {
      this.#dropped++;
      this.#unreported++;
      return;
    }
    this.#queue.push(bytes);
    this.#queuedBytes += bytes.length;
    if (this.#retry === undefined) this.#writeQueued();
  }

  /** Waits until all lines are written, or until the time is over. */
  async flush(timeoutMs: number): Promise<void> {
    if (this.#queue.length === 0) return;
    let timeout: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timeout = setTimeout(resolve, timeoutMs)));
    await Promise.race([this.#whenWritten.promise, late]);
    clearTimeout(timeout);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#retry);
  }

  #writeQueued(): void {
    this.#retry = undefined;
    for (;;) {
      const [first] = this.#queue;
      if (first === undefined) {
        if (this.#unreported === 0) break;
        const report = Buffer.from(this.#renderDropped(this.#unreported));
        this.#unreported = 0;
        this.#queue.push(report);
        this.#queuedBytes += report.length;
        continue;
      }
      const written = this.#tryWrite(first);
      this.#queuedBytes -= written;
      if (written === first.length) {
        this.#queue.shift();
        continue;
      }
      this.#queue[0] = first.subarray(written);
      this.#retry = setTimeout(() => this.#writeQueued(), RETRY_MS).unref();
      return;
    }
    this.#whenWritten.resolve();
    this.#whenWritten = Promise.withResolvers();
  }

  /** @returns How many bytes were written. */
  #tryWrite(bytes: Buffer): number {
    try {
      return writeSync(this.#fd, bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") return 0;
      // There is no reader any more, or the disk is full: the line is lost, and the service goes on.
      this.#dropped++;
      return bytes.length;
    }
  }
}

/**
 * Standard error as a descriptor that refuses writes with EAGAIN instead of waiting. `process.stderr` already puts
 * pipes and sockets into this mode, but not terminals, which stop reading at Ctrl-S.
 */
export function openStandardError(): number {
  if (!stderr.isTTY) return STANDARD_ERROR;
  try {
    return openSync(`/proc/self/fd/${STANDARD_ERROR}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    // A terminal of another user, for example with `sudo -u`.
    return STANDARD_ERROR;
  }
}
