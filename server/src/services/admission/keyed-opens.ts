import { orAborted, sleep } from "../../concurrency/abortable.ts";
import { Failure } from "../../domain/failure.ts";
import { DAY_MS } from "../../domain/durations.ts";
import type { Clock } from "../../ports/clock.ts";
import type { OpenCall } from "../../ports/fleet.ts";
import type { SecretBox } from "../../ports/secret-box.ts";
import { type BrowserStore, type Idempotency, KeyTaken } from "../../ports/store/store.ts";
import { AwaitingCallers } from "./awaiting-callers.ts";
import { orStoreFailure } from "../store/store-failure.ts";

/** Maximum wait for an earlier request with the same key, in ms. */
const MAX_WAIT_MS = 30_000;
/** Interval between checks of whether another server has opened the browser, in ms. */
const POLL_MS = 500;
const RETRY_AFTER_S = 5;
/** The maximum number of keys to free in one query. */
const FREED_AT_ONCE = 100;

export type Opened = {
  readonly id: string;
  readonly address: string;
  readonly isUsed: boolean;
  /** Closes the browser, deletes its record and refunds its units, as if the browser had never been opened. */
  undo(): Promise<void>;
  readonly ended: Promise<unknown>;
  /** Resolves after `ended`, once the end is recorded. */
  readonly closed: Promise<void>;
};

type KeyedOpensNeeds = {
  readonly opens: {
    /** @throws {KeyTaken} If the Idempotency-Key belongs to another browser. @throws {Failure} Like Open. */
    openNew(call: OpenCall, idempotency?: Idempotency): Promise<Opened>;
  };
  readonly store: Pick<BrowserStore, "findKeyed" | "freeKeys">;
  /**
   * Informs a browser's process that a caller has received the browser. Undefined if there are no other processes.
   * @returns False if the browser is being discarded, because no caller asked for it in time.
   */
  readonly claim?: (browser: Found) => Promise<boolean>;
  readonly box: Pick<SecretBox, "hash" | "hashes">;
  readonly clock: Clock;
};

type Found = Pick<Opened, "id" | "address">;

/** A request in this process that is opening a browser. */
type Opening = { readonly callers: AwaitingCallers; readonly done: Promise<unknown> };

/** Opens one browser for each of an account's Idempotency-Keys (draft-ietf-httpapi-idempotency-key-header). */
export class KeyedOpens {
  readonly #needs: KeyedOpensNeeds;
  /** Requests, indexed by account and idempotency key. */
  readonly #opening = new Map<string, Opening>();
  /** The callers of open browsers, keyed by browser id. */
  readonly #callers = new Map<string, AwaitingCallers>();

  constructor(needs: KeyedOpensNeeds) {
    this.#needs = needs;
  }

  /**
   * Opens a browser, or returns the key's existing browser. If the caller disconnects, the browser is discarded unless
   * another caller asks for it within 30 seconds.
   * @throws {Failure} As for Open; `IdempotencyKeyInUse` or `IdempotencyKeyReused`.
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
        // Another request may have started opening the browser during the query.
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

  /** Waits, as an additional caller, for the result of another request in this process. */
  async #waitFor({ callers, done }: Opening, disconnected: AbortSignal, late: AbortSignal): Promise<void> {
    const left = new AbortController();
    callers.join(AbortSignal.any([disconnected, left.signal]));
    try {
      await orAborted(done, AbortSignal.any([disconnected, late]));
    } finally {
      left.abort();
    }
  }

  /**
   * Returns the key's browser; `opening` if another server is opening the browser, or the browser is being discarded.
   */
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
    if (!box.hashes(JSON.stringify(options)).includes(found.options)) {
      throw new Failure(
        "IdempotencyKeyReused",
        "This Idempotency-Key belongs to a request with other options: send the same options, or choose another key.",
      );
    }
    if (address === undefined) return "opening";
    if (this.#callers.get(browserId)?.join(disconnected) === false) return "opening";
    const browser = { id: browserId, address };
    return endedAt === undefined && (await claim?.(browser)) === false ? "opening" : browser;
  }

  async #start(name: string, call: OpenCall, key: string): Promise<Found> {
    const { opens, box, clock } = this.#needs;
    const abandoned = new AbortController();
    let undo = (): void => abandoned.abort(call.disconnected.reason);
    const callers = new AwaitingCallers(clock, () => undo());
    callers.join(call.disconnected);
    const idempotency = { key: box.hash(key), options: box.hash(JSON.stringify(call.options)) };
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

export function keyInUse(): Failure {
  return new Failure(
    "IdempotencyKeyInUse",
    `The first request with this Idempotency-Key is still in progress: try again in ${RETRY_AFTER_S} s.`,
    { retryAfterS: RETRY_AFTER_S },
  );
}
