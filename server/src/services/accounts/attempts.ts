import { hash } from "node:crypto";
import ipaddr from "ipaddr.js";
import type { AttemptLimit, AttemptStore } from "../../ports/attempt-store.ts";
import { TooManyAttempts } from "./errors.ts";
import { Limiter } from "./limiter.ts";

const QUARTER_S = 15 * 60;
const HOUR_S = 60 * 60;

const LIMITS = {
  /** Sign-ins per address, successful or not: each one costs the server a hash. */
  signInsPerAddress: { points: 300, perS: QUARTER_S },
  /** Sign-ins per address with a wrong password or an unknown email. */
  failuresPerAddress: { points: 30, perS: QUARTER_S },
  /** Failed sign-ins per email, whether or not an account has it, from addresses where the email's user didn't sign in before. */
  failuresPerEmail: { points: 10, perS: QUARTER_S },
  /** Failed sign-ins per email from an address where its user signed in before: failures from elsewhere don't count there. */
  failuresPerKnownAddress: { points: 10, perS: QUARTER_S },
  /** Sign-ups per address with a valid email and password, whether or not the email is taken. */
  signUpsPerAddress: { points: 10, perS: HOUR_S },
  /** Wrong passwords per account where a signed-in user has to confirm something with it. */
  checksPerAccount: { points: 10, perS: QUARTER_S },
  // About 50 MiB when all limiters are full. To make a limiter forget an email, an attacker needs that many failures
  // with other emails, from more than 600 addresses.
  maxKeys: 20_000,
};

type AttemptLimits = { readonly [Name in keyof typeof LIMITS]: Name extends "maxKeys" ? number : AttemptLimit };

/** Takes an attempt back: it no longer counts. Calling it again has no effect. */
type GiveBack = () => Promise<void>;

/** Counts one kind of attempts. */
type Counter = Pick<Limiter, "take" | "giveBack">;

/**
 * Limits how often passwords are tried and accounts created. The store counts for all servers together; without one, attempts are
 * counted in memory, and a restart resets them.
 */
export class Attempts {
  readonly #signIns: Counter;
  readonly #addresses: Counter;
  readonly #emails: Counter;
  readonly #known: KnownAddresses;
  readonly #ofKnown: Counter;
  readonly #signUps: Counter;
  readonly #checks: Counter;

  constructor(changes: Partial<AttemptLimits> = {}, store?: AttemptStore) {
    const { maxKeys, ...limits } = { ...LIMITS, ...changes };
    const toCounter = (name: keyof typeof limits): Counter =>
      store === undefined ? new Limiter(limits[name], maxKeys) : toStored(store, name, limits[name]);
    this.#signIns = toCounter("signInsPerAddress");
    this.#addresses = toCounter("failuresPerAddress");
    this.#emails = toCounter("failuresPerEmail");
    this.#known = new KnownAddresses(maxKeys);
    this.#ofKnown = toCounter("failuresPerKnownAddress");
    this.#signUps = toCounter("signUpsPerAddress");
    this.#checks = toCounter("checksPerAccount");
  }

  /**
   * Call it before you look up the account and check the password. The attempt counts as failed until you give it back.
   * @param address The client's IP address. For IPv6, the /64 prefix counts, because it belongs to one customer.
   * @param email As the user typed it; spelling variants count as one email.
   * @throws {TooManyAttempts} After too many failures.
   */
  async takeSignIn(address: string, email: string): Promise<GiveBack> {
    const [network, mailbox] = [toNetwork(address), toMailbox(email)];
    const pair = `${mailbox} ${network}`;
    const [emails, key] = this.#known.has(pair) ? [this.#ofKnown, pair] : [this.#emails, mailbox];
    await take(this.#signIns, network, "There were too many sign-ins from your network address.");
    await take(this.#addresses, network, "Too many sign-ins from your network address have failed.");
    try {
      await take(emails, key, "Too many sign-ins with this email address have failed.");
    } catch (error) {
      // No password was tried. If this counted, a user whose email others have locked would lock their own address,
      // too.
      await this.#addresses.giveBack(network);
      throw error;
    }
    return once(async () => {
      await Promise.all([this.#addresses.giveBack(network), emails.giveBack(key)]);
    });
  }

  /** Call it after a sign-in: from then on, failures from other addresses don't lock the email's user out there. */
  remember(address: string, email: string): void {
    this.#known.add(`${toMailbox(email)} ${toNetwork(address)}`);
  }

  /**
   * Call it before you create an account. A sign-up with a taken email counts as well.
   * @throws {TooManyAttempts} After too many sign-ups from the address.
   */
  async takeSignUp(address: string): Promise<GiveBack> {
    const network = toNetwork(address);
    await take(this.#signUps, network, "There were too many sign-ups from your network address.");
    return once(() => this.#signUps.giveBack(network));
  }

  /**
   * Call it before you check a signed-in user's password. It counts as wrong until you give it back.
   * @throws {TooManyAttempts} After too many wrong ones.
   */
  async takeCheck(accountId: string): Promise<GiveBack> {
    await take(this.#checks, accountId, "A wrong password was entered for this account too many times.");
    return once(() => this.#checks.giveBack(accountId));
  }
}

/** Emails with the addresses from which their users have signed in, the latest ones. */
class KnownAddresses {
  readonly #maxPairs: number;
  readonly #pairs = new Set<string>();

  constructor(maxPairs: number) {
    this.#maxPairs = maxPairs;
  }

  has(pair: string): boolean {
    return this.#pairs.has(pair);
  }

  add(pair: string): void {
    this.#pairs.delete(pair);
    this.#pairs.add(pair);
    const [oldest] = this.#pairs;
    if (this.#pairs.size > this.#maxPairs && oldest !== undefined) this.#pairs.delete(oldest);
  }
}

// A second call would give back someone else's attempt.
function once(work: GiveBack): GiveBack {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

function toStored(store: AttemptStore, name: string, limit: AttemptLimit): Counter {
  return {
    take: (key) => store.take(`${name} ${key}`, limit),
    giveBack: (key) => store.giveBack(`${name} ${key}`),
  };
}

async function take(limiter: Counter, key: string, what: string): Promise<void> {
  const retryAfterS = await limiter.take(key);
  if (retryAfterS === undefined) return;
  throw new TooManyAttempts(`${what} Try again in ${toWords(retryAfterS)}.`, retryAfterS);
}

function toWords(seconds: number): string {
  if (seconds === 1) return "a second";
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

function toNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, 64);
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}

/** Folds more variants together than accounts do, and gives every key the same length. */
function toMailbox(email: string): string {
  return hash("sha256", email.trim().normalize("NFKC").toLowerCase(), "base64url");
}
