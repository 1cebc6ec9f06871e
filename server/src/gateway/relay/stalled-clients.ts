import type { Socket } from "node:net";
import type { Clock } from "../../ports/clock.ts";
import type { GatewayLimits } from "./limits.ts";
import { type ReadSendQueues, toConnectionKey } from "./send-queues.ts";

/**
 * Watches a client.
 * @param onStalled Called once, when bytes have waited for `stallMs` and the client hasn't read any of them. The call
 * can be up to `stallCheckMs` late.
 * @returns A function that stops watching the client. Calling it again has no effect.
 */
type WatchClient = (client: Socket, onStalled: () => void) => () => void;

type Watched = {
  readonly client: Socket;
  /** Undefined if the connection isn't TCP. For such connections, only Node's buffer is checked. */
  readonly key: string | undefined;
  readonly onStalled: () => void;
  /**
   * The value of `bytesWritten` when the queue was last empty. The queue remains empty while `bytesWritten` is
   * unchanged.
   */
  writtenWhenEmpty: number;
  /** Bytes received from the client until the last check. */
  received: number;
  /** Bytes that the client is known to have read. */
  read: number;
  /** Number of unacknowledged bytes at the last check. */
  queued: number;
  /** Consecutive checks in which bytes waited and the client read nothing; undefined while no bytes wait. */
  idleChecks: number | undefined;
};

/**
 * Detects clients that no longer read the bytes waiting for them. The kernel's keep-alive can't detect such clients: it
 * sends no probes while data is unacknowledged, and the kernel retransmits for 15 minutes. Node can't set
 * TCP_USER_TIMEOUT. The timer runs only while clients are watched.
 */
export function watchStalledClients({
  readSendQueues,
  clock,
  stallCheckMs,
  stallMs,
}: Pick<GatewayLimits, "stallCheckMs" | "stallMs"> & {
  readonly readSendQueues: ReadSendQueues;
  readonly clock: Pick<Clock, "after">;
}): WatchClient {
  // Counting checks instead of time excludes periods in which the machine is suspended.
  const maxIdleChecks = Math.ceil(stallMs / stallCheckMs);
  const watched = new Set<Watched>();
  let isChecking = false;
  let cancelCheck: (() => void) | undefined;

  function schedule(): void {
    if (isChecking || cancelCheck || watched.size === 0) return;
    cancelCheck = clock.after(stallCheckMs, () => {
      cancelCheck = undefined;
      isChecking = true;
      void check().finally(() => {
        isChecking = false;
        schedule();
      });
    });
  }

  function drop(one: Watched): void {
    watched.delete(one);
    if (watched.size > 0) return;
    cancelCheck?.();
    cancelCheck = undefined;
  }

  async function check(): Promise<void> {
    const keys = new Set<string>();
    const samples = [...watched]
      .filter((one) => mayBeStalled(one))
      .map((one) => {
        if (one.key !== undefined) keys.add(one.key);
        // Sample before reading the kernel's tables, because bytes written during the read must not count as read by
        // the client.
        return { one, written: one.client.bytesWritten, held: one.client.writableLength };
      });
    if (samples.length === 0) return;
    const queues = await readSendQueues(keys);
    for (const { one, written, held } of samples) {
      if (!watched.has(one)) continue;
      update(one, written, held, one.key === undefined ? 0 : (queues.get(one.key) ?? 0));
      if (one.idleChecks !== undefined && one.idleChecks >= maxIdleChecks) {
        drop(one);
        one.onStalled();
      }
    }
  }

  return (client, onStalled) => {
    const one: Watched = {
      client,
      key: toConnectionKey(client),
      onStalled,
      writtenWhenEmpty: -1,
      received: client.bytesRead,
      read: 0,
      queued: 0,
      idleChecks: undefined,
    };
    watched.add(one);
    schedule();
    return () => drop(one);
  };
}

/**
 * Returns whether the kernel's tables must be read to check a client. A client that has sent bytes since the last check
 * is connected, so it isn't stalled unless Node's buffer has bytes for it. With thousands of active clients, this
 * avoids spending 0.1 s on reading the tables.
 */
function mayBeStalled(one: Watched): boolean {
  const { bytesRead, bytesWritten, writableLength } = one.client;
  const hasSent = bytesRead !== one.received;
  one.received = bytesRead;
  if (!hasSent || writableLength > 0) return bytesWritten !== one.writtenWhenEmpty;
  one.idleChecks = undefined;
  return false;
}

function update(one: Watched, written: number, held: number, queued: number): void {
  if (held + queued === 0) {
    one.writtenWhenEmpty = written;
    one.idleChecks = undefined;
  } else {
    const read = written - held - queued;
    // Node counts a whole chunk as buffered until the kernel has accepted all of it, so `read` can lag behind. So a
    // client also counts as reading if its queue shrinks.
    const hasRead = read > one.read || queued < one.queued;
    one.idleChecks = hasRead || one.idleChecks === undefined ? 0 : one.idleChecks + 1;
    one.read = Math.max(one.read, read);
  }
  one.queued = queued;
}
