import { constants, openSync, writeSync } from "node:fs";
import { stderr } from "node:process";

/** Maximum size of the queue for a slow reader. When the queue is full, lines are dropped. */
const MAX_QUEUED_BYTES = 1024 * 1024;
const RETRY_MS = 50;

const STANDARD_ERROR = 2;

type WriterOptions = {
  /** A non-blocking descriptor, whose writes fail with EAGAIN if its reader is slow. */
  readonly fd: number;
  readonly maxQueuedBytes?: number;
  /** Renders a line that reports the number of dropped lines. */
  readonly renderDropped: (lines: number) => string;
};

/** Writes lines immediately and never blocks. Queues lines for a slow reader, and drops lines if the queue is full. */
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

  get dropped(): number {
    return this.#dropped;
  }

  /** @param line A line that ends with a line break. */
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

  /** Waits until all lines are written or the timeout expires. */
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

  /** @returns The number of bytes written. */
  #tryWrite(bytes: Buffer): number {
    try {
      return writeSync(this.#fd, bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") return 0;
      // The reader has exited, or the disk is full: the line is lost, but the service continues.
      this.#dropped++;
      return bytes.length;
    }
  }
}

/** Opens standard error in non-blocking mode, which Node uses only for pipes and sockets, not for terminals. */
export function openStandardError(): number {
  if (!stderr.isTTY) return STANDARD_ERROR;
  try {
    return openSync(`/proc/self/fd/${STANDARD_ERROR}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    // The terminal belongs to another user, for example after `sudo -u`.
    return STANDARD_ERROR;
  }
}
