import { hash } from "node:crypto";
import { toEmailKey } from "../../domain/account/email.ts";
import { toNetwork } from "../../domain/network/address-range.ts";
import type { AttemptLimit, AttemptStore, Pace } from "../../ports/store/attempt-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { SecretBox } from "../../ports/secret-box.ts";
import { TooManyAttempts } from "../accounts/errors.ts";
import { Limiter } from "./limiter.ts";
import { Pacer } from "./pacer.ts";
import { type NoTurn, SignInQueue } from "./sign-in-queue.ts";

const QUARTER_S = 15 * 60;
const HOUR_S = 60 * 60;
/** Separates these hashes from the hashes of other secrets. */
const KNOWN = "known browser";

const LIMITS = {
  /** Limits all sign-ins per address, because the server computes a hash for each sign-in. */
  signInsPerAddress: { points: 300, perS: QUARTER_S },
  /** Sign-ins per address with a wrong password or an unknown email. */
  failuresPerAddress: { points: 30, perS: QUARTER_S },
  /** Failed sign-ins per email from browsers in which the user has signed in before. `PACE` limits further failures. */
  failuresOfKnown: { points: 10, perS: QUARTER_S },
  /** Sign-ups per address with a valid email and password, whether or not the email is taken. */
  signUpsPerAddress: { points: 10, perS: HOUR_S },
  /** Wrong passwords per account when a signed-in user confirms an action. */
  checksPerAccount: { points: 10, perS: QUARTER_S },
};

/** Failed sign-ins per email, even if it has no account: up to 233 in the first hour, and 225 in each later hour. */
const PACE: Pace = { freeTries: 5, maxPauseS: 16, forgetAfterS: HOUR_S };
/** Proxies in front of the server allow 60 s for a response. */
const WAITING = { maxWaitMs: 40_000, stepMs: 50, maxPerKey: 20, maxAll: 1000 };
/**
 * At most about 50 MiB of memory. To make the server forget an email, an attacker needs this many failures with other
 * emails, from more than 600 addresses.
 */
const MAX_KEYS = 20_000;

const NO_TURN: { readonly [Reason in NoTurn["reason"]]: string } = {
  failures: "Too many sign-ins with this email address have failed.",
  full: "Too many sign-ins are waiting.",
};

type AttemptLimits = { readonly [Name in keyof typeof LIMITS]: AttemptLimit };

type AttemptsNeeds = {
  readonly clock: Pick<Clock, "elapsedMs" | "after">;
  /** Creates the cookies that identify known browsers. */
  readonly box: Pick<SecretBox, "hash" | "hashes">;
  /** Counts attempts across all servers. Without a store, attempts are counted in memory until the server restarts. */
  readonly store?: AttemptStore | undefined;
  readonly limits?: Partial<AttemptLimits>;
  readonly maxKeys?: number;
};

export type SignInClient = {
  /** The IP address. IPv6 addresses are counted by their /64 prefix, because it belongs to one customer. */
  readonly address: string;
  /** The values of the `toKnown` cookies. */
  readonly known: readonly string[];
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
};

/** Excludes an attempt from the count. Calling it again has no effect. */
type GiveBack = () => Promise<void>;

type Counter = Pick<Limiter, "take" | "giveBack">;

/** Limits password attempts and sign-ups. */
export class Attempts {
  readonly #box: AttemptsNeeds["box"];
  readonly #signIns: Counter;
  readonly #addresses: Counter;
  readonly #ofKnown: Counter;
  readonly #pacer: Counter;
  readonly #queue: SignInQueue;
  /** Failures per email address and network, which determine the order of waiting sign-ins. */
  readonly #ranks: Pacer;
  readonly #signUps: Counter;
  readonly #checks: Counter;

  constructor({ clock, box, store, limits: changes = {}, maxKeys = MAX_KEYS }: AttemptsNeeds) {
    const limits = { ...LIMITS, ...changes };
    const toCounter = (name: keyof typeof limits): Counter =>
      store === undefined
        ? new Limiter(limits[name], maxKeys)
        : toStored(store, name, (key) => store.take(key, limits[name]));
    this.#box = box;
    this.#signIns = toCounter("signInsPerAddress");
    this.#addresses = toCounter("failuresPerAddress");
    this.#ofKnown = toCounter("failuresOfKnown");
    this.#pacer =
      store === undefined
        ? new Pacer(PACE, maxKeys, clock)
        : toStored(store, "tries", (key) => store.takePaced(key, PACE));
    this.#queue = new SignInQueue(this.#pacer, clock, WAITING);
    this.#ranks = new Pacer({ ...PACE, freeTries: Infinity }, maxKeys, clock);
    this.#signUps = toCounter("signUpsPerAddress");
    this.#checks = toCounter("checksPerAccount");
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * Counts a sign-in attempt. Call this before looking up the account and checking the password. The attempt counts as
   * failed until given back. After several failures with an email, attempts are delayed, so that an attacker can
   * neither try many passwords nor lock the user out.
   * @param email As the user typed it. Spelling variants count as one email.
   * @throws {TooManyAttempts} After too many failures. @throws {unknown} The signal's reason if it is aborted.
   */
  async takeSignIn(client: SignInClient, email: string): Promise<GiveBack> {
    const [network, mailbox] = [toNetwork(client.address), toMailbox(email)];
    await take(this.#signIns, network, "There were too many sign-ins from your network address.");
    const isKnown = this.#box.hashes(`${KNOWN} ${mailbox}`).some((value) => client.known.includes(value));
    if (isKnown && (await this.#ofKnown.take(mailbox)) === undefined)
      return once(() => this.#ofKnown.giveBack(mailbox));
    await take(this.#addresses, network, "Too many sign-ins from your network address have failed.");
    const pair = `${mailbox} ${toNetwork(client.address, 3)}`;
    const rank = this.#ranks.count(pair);
    await this.#ranks.take(pair);
    const giveBack = async (): Promise<void> => {
      await Promise.all([this.#addresses.giveBack(network), this.#ranks.giveBack(pair)]);
    };
    try {
      const refused = await this.#queue.take(mailbox, rank, client.signal);
      if (refused !== undefined) throw tooMany(NO_TURN[refused.reason], refused.waitS);
    } catch (error) {
      // No password was tried. Counting this attempt would let an attack on a user's email block the user's own
      // address.
      await giveBack();
      throw error;
    }
    return once(async () => {
      await Promise.all([giveBack(), this.#pacer.giveBack(mailbox)]);
    });
  }

  /** Returns a cookie that lets the user's browser sign in again despite other browsers' failures. */
  toKnown(email: string): string {
    return this.#box.hash(`${KNOWN} ${toMailbox(email)}`);
  }

  /**
   * Takes a sign-up attempt. Call this before creating an account, even if the email is taken.
   * @throws {TooManyAttempts} After too many sign-ups from the address.
   */
  async takeSignUp(address: string): Promise<GiveBack> {
    const network = toNetwork(address);
    await take(this.#signUps, network, "There were too many sign-ups from your network address.");
    return once(() => this.#signUps.giveBack(network));
  }

  /**
   * Counts an attempt as failed until it is given back. Call this before checking a signed-in user's password.
   * @throws {TooManyAttempts} After too many wrong passwords.
   */
  async takeCheck(accountId: string): Promise<GiveBack> {
    await take(this.#checks, accountId, "A wrong password was entered for this account too many times.");
    return once(() => this.#checks.giveBack(accountId));
  }
}

/** Ignores repeated calls, which would otherwise give back another caller's attempt. */
function once(work: GiveBack): GiveBack {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

function toStored(store: AttemptStore, name: string, takeKey: Counter["take"]): Counter {
  return { take: (key) => takeKey(`${name} ${key}`), giveBack: (key) => store.giveBack(`${name} ${key}`) };
}

async function take(limiter: Pick<Counter, "take">, key: string, what: string): Promise<void> {
  const waitS = await limiter.take(key);
  if (waitS !== undefined) throw tooMany(what, waitS);
}

function tooMany(what: string, waitS: number): TooManyAttempts {
  const retryAfterS = Math.ceil(waitS);
  return new TooManyAttempts(`${what} Try again in ${toWords(retryAfterS)}.`, retryAfterS);
}

function toWords(seconds: number): string {
  if (seconds === 1) return "a second";
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

/** Returns a fixed-length key. Ignores the same spelling variants as accounts do. */
function toMailbox(email: string): string {
  return hash("sha256", toEmailKey(email.trim()), "base64url");
}
