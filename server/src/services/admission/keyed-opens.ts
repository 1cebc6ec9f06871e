import { orAborted, sleep } from "../../concurrency/abortable.ts";
import type { OpenOptions } from "../../domain/browser/open-options.ts";
import { Failure } from "../../domain/failure.ts";
import { DAY_MS } from "../../domain/durations.ts";
import type { Clock } from "../../ports/clock.ts";
import type { OpenCall } from "../../ports/fleet.ts";
import type { SecretBox } from "../../ports/secret-box.ts";
import { type BrowserStore, type Idempotency, KeyTaken } from "../../ports/store/store.ts";
import { AwaitingCallers } from "./awaiting-callers.ts";
import { orStoreFailure } from "../store/store-failure.ts";

/** How long a request waits for an earlier one with the same key. */
const MAX_WAIT_MS = 30_000;
/** How often it looks whether another server has opened the browser. */
const POLL_MS = 500;
const RETRY_AFTER_S = 5;
/** Keys that are freed together. */
const FREED_AT_ONCE = 100;

/** A browser that a request has opened. */
export type Opened = {
  readonly id: string;
  readonly address: string;
  /** Whether a client has ever been connected. */
  readonly isUsed: boolean;
  /** Deletes its record with its units, as if it hadn't been opened. */
  undo(): Promise<void>;
  readonly ended: Promise<unknown>;
  /** Resolves after that, when its end is recorded. */
  readonly closed: Promise<void>;
};

type KeyedOpensNeeds = {
  readonly opens: {
    /** @throws {KeyTaken} If the Idempotency-Key belongs to another browser. @throws {Failure} As Open. */
    openNew(call: OpenCall, idempotency?: Idempotency): Promise<Opened>;
  };
  readonly store: Pick<BrowserStore, "findKeyed" | "freeKeys">;
  /**
   * Tells another process that a caller gets a browser that it has opened.
   * @returns False if it is being undone, because no caller had asked for it in time. Undefined: there are no others.
   */
  readonly claim?: (browser: Found) => Promise<boolean>;
  readonly box: Pick<SecretBox, "hash" | "hashes">;
  readonly clock: Clock;
};

type Found = Pick<Opened, "id" | "address">;

/** A request that opens a browser in this process. */
type Opening = { readonly callers: AwaitingCallers; readonly done: Promise<unknown> };

/** Opens browsers with Idempotency-Keys (draft-ietf-httpapi-idempotency-key-header): one for each key of an account. */
export class KeyedOpens {
  readonly #needs: KeyedOpensNeeds;
  /** By account and key. */
  readonly #opening = new Map<string, Opening>();
  /** Of open browsers, by their ids. */
  readonly #callers = new Map<string, AwaitingCallers>();

  constructor(needs: KeyedOpensNeeds) {
    this.#needs = needs;
  }

  /**
   * Opens a browser, or returns the one that the key belongs to. When the caller has disconnected, the browser is
   * undone if no caller asks for it in the next 30 seconds.
   * @throws {Failure} As Open, `IdempotencyKeyInUse` or `IdempotencyKeyReused`.
   */
  async openOnce(call: OpenCall, key: string): Promise<Found> {
    const { clock } = this.#needs;
    const name = `${call.account.id} ${key}`;
    const late = new AbortController();
    const cancel = clock.after(MAX_WAIT_MS, () => late.abort(keyInUse()));
    try {
      for (;;) {
        const before = this.#opening.get(name);
        if (before !== undefined) {
          await this.#waitFor(before, call.disconnected, late.signal);
          continue;
        }
        const found = await this.#find(call, key);
        if (found === "opening") {
          await sleep(POLL_MS, clock, late.signal);
          late.signal.throwIfAborted();
          continue;
        }
        if (found !== undefined) return found;
        // Another request may have begun while the store was read.
        if (this.#opening.has(name)) continue;
        try {
          return await this.#start(name, call, key);
        } catch (error) {
          if (!(error instanceof KeyTaken)) throw error;
        }
      }
    } finally {
      cancel();
    }
  }

  /** Waits until a request of this process has been answered. A caller that leaves doesn't hold it any more. */
  async #waitFor({ callers, done }: Opening, disconnected: AbortSignal, late: AbortSignal): Promise<void> {
    const left = new AbortController();
    callers.join(AbortSignal.any([disconnected, left.signal]));
    try {
      await orAborted(done, AbortSignal.any([disconnected, late]));
    } finally {
      left.abort();
    }
  }

  /** The browser that a key belongs to; `opening`: another server opens it. */
  async #find({ account, options, disconnected }: OpenCall, key: string): Promise<Found | "opening" | undefined> {
    const { store, box, clock, claim } = this.#needs;
    const found = await orStoreFailure(store.findKeyed(account.id, box.hashes(key)));
    if (found === undefined) return undefined;
    const { browserId, address, endedAt } = found;
    const freeFrom = new Date(clock.now().getTime() - DAY_MS);
    if (endedAt !== undefined && endedAt < freeFrom) {
      await orStoreFailure(store.freeKeys(freeFrom, FREED_AT_ONCE));
      return undefined;
    }
    if (!box.hashes(toText(options)).includes(found.options)) {
      throw new Failure(
        "IdempotencyKeyReused",
        "This Idempotency-Key belongs to a request with other options: send the same options, or choose another key.",
      );
    }
    if (address === undefined) return "opening";
    const callers = this.#callers.get(browserId);
    // It is being undone.
    if (callers?.join(disconnected) === false) return "opening";
    const browser = { id: browserId, address };
    return endedAt === undefined && (await claim?.(browser)) === false ? "opening" : browser;
  }

  async #start(name: string, call: OpenCall, key: string): Promise<Found> {
    const { opens, box, clock } = this.#needs;
    const abandoned = new AbortController();
    let undo = (): void => abandoned.abort(call.disconnected.reason);
    const callers = new AwaitingCallers(clock, () => undo());
    callers.join(call.disconnected);
    const idempotency = { key: box.hash(key), options: box.hash(toText(call.options)) };
    const opening = opens.openNew({ ...call, disconnected: abandoned.signal }, idempotency);
    const done = opening.catch(() => {});
    this.#opening.set(name, { callers, done });
    try {
      const browser = await opening;
      const { id, address } = browser;
      undo = () => {
        if (!browser.isUsed) void browser.undo();
      };
      this.#callers.set(id, callers);
      void browser.ended.then(() => callers.end());
      void browser.closed.then(() => this.#callers.delete(id));
      return { id, address };
    } catch (error) {
      callers.end();
      throw error;
    } finally {
      this.#opening.delete(name);
    }
  }
}

/** The same text for the same options. */
function toText(options: OpenOptions): string {
  return JSON.stringify(options);
}

export function keyInUse(): Failure {
  return new Failure(
    "IdempotencyKeyInUse",
    `The first request with this Idempotency-Key is still in progress: try again in ${RETRY_AFTER_S} s.`,
    { retryAfterS: RETRY_AFTER_S },
  );
}
