import type { Socket } from "node:net";
import type { After } from "./limits.ts";
import { toConnectionKey } from "./send-queues.ts";
import type { ReadSendQueues } from "./send-queues.ts";

/**
 * Finds clients that take nothing of what waits for them. The kernel's keep-alive cannot: it asks nothing while data is
 * unacknowledged, and retransmits for a quarter of an hour; TCP_USER_TIMEOUT is out of Node's reach.
 */
export interface StalledClients {
  /**
   * @param onStalled Called once, when bytes waited for `stallMs` and the client took none; at most one check late.
   * @returns Stops watching this client; twice is harmless.
   */
  watch(client: Socket, onStalled: () => void): () => void;
}

type Watched = {
  readonly client: Socket;
  /** Undefined when the connection is not TCP: then only what Node holds is seen. */
  readonly key: string | undefined;
  readonly onStalled: () => void;
  /** How much had been written when nothing was waiting; the same again means nothing waits now. */
  writtenWhenEmpty: number;
  /** Most bytes the client is known to have taken. */
  taken: number;
  /** Unacknowledged bytes at the last check. */
  queued: number;
  /** Checks in a row that saw bytes wait and none taken; undefined while none wait. */
  idleChecks: number | undefined;
};

/** Nothing is read and no timer runs while nothing is watched. */
export function watchStalledClients(options: {
  readonly readSendQueues: ReadSendQueues;
  readonly after: After;
  readonly stallCheckMs: number;
  readonly stallMs: number;
}): StalledClients {
  const { readSendQueues, after, stallCheckMs } = options;
  // Counted in checks, not in time of day: a machine that slept has not waited.
  const maxIdleChecks = Math.ceil(options.stallMs / stallCheckMs);
  const watched = new Set<Watched>();
  let isChecking = false;
  let cancelCheck: (() => void) | undefined;

  function schedule(): void {
    if (isChecking || cancelCheck || watched.size === 0) return;
    cancelCheck = after(stallCheckMs, () => {
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
      .filter((one) => one.client.bytesWritten !== one.writtenWhenEmpty)
      .map((one) => {
        if (one.key !== undefined) keys.add(one.key);
        // Before the kernel is asked: bytes written meanwhile must not look taken.
        return { one, written: one.client.bytesWritten, held: one.client.writableLength };
      });
    if (samples.length === 0) return;
    const queues = await readSendQueues(keys);
    for (const { one, written, held } of samples) {
      if (!watched.has(one)) continue;
      note(one, written, held, one.key === undefined ? 0 : (queues.get(one.key) ?? 0));
      if (one.idleChecks !== undefined && one.idleChecks >= maxIdleChecks) {
        drop(one);
        one.onStalled();
      }
    }
  }

  return {
    watch(client, onStalled) {
      const one: Watched = {
        client,
        key: toConnectionKey(client),
        onStalled,
        writtenWhenEmpty: -1,
        taken: 0,
        queued: 0,
        idleChecks: undefined,
      };
      watched.add(one);
      schedule();
      return () => drop(one);
    },
  };
}

function note(one: Watched, written: number, held: number, queued: number): void {
  if (held + queued === 0) {
    one.writtenWhenEmpty = written;
    one.idleChecks = undefined;
  } else {
    const taken = written - held - queued;
    // Node counts a chunk as held until the kernel has all of it, so `taken` may lag; a queue that shrinks tells as well.
    const tookSome = taken > one.taken || queued < one.queued;
    one.idleChecks = tookSome || one.idleChecks === undefined ? 0 : one.idleChecks + 1;
    one.taken = Math.max(one.taken, taken);
  }
  one.queued = queued;
}
