import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";
import { type Limit, type Limiter, newLimiter } from "./limiter.ts";
import { PageError } from "./errors.ts";

/** A password that is about to be checked, and counts as wrong until something else is said. */
export type Attempt = {
  /** The password was right: the attempt counts no more. */
  readonly succeed: () => Promise<void>;
  /** The password was not checked after all, since the server was busy: the attempt counts no more. */
  readonly withdraw: () => Promise<void>;
};

/** An account that is about to be made. */
export type SignUpAttempt = {
  /** Nothing was tried after all, since the server was busy: the attempt counts no more. */
  readonly withdraw: () => Promise<void>;
};

export type AttemptLimits = {
  /** Sign-ins from an address, right or wrong: each costs the server a hash. */
  readonly signInsPerAddress: Limit;
  /** Sign-ins with a wrong password or an unknown e-mail, from an address. */
  readonly failuresPerAddress: Limit;
  /** The same with an e-mail, whether there is an account or not. */
  readonly failuresPerEmail: Limit;
  /** Forms for a new account that were filled in well, whether the e-mail was taken or not. */
  readonly signUpsPerAddress: Limit;
  /** Passwords asked for again by somebody signed in, right or wrong: to change it, to delete the account. */
  readonly checksPerAccount: Limit;
  /** What each of these remembers; see `newLimiter` for what happens beyond. */
  readonly maxKeys: number;
};

const QUARTER_S = 15 * 60;
const HOUR_S = 60 * 60;

const LIMITS: AttemptLimits = {
  signInsPerAddress: { points: 300, perS: QUARTER_S },
  failuresPerAddress: { points: 30, perS: QUARTER_S },
  failuresPerEmail: { points: 10, perS: QUARTER_S },
  signUpsPerAddress: { points: 10, perS: HOUR_S },
  checksPerAccount: { points: 10, perS: QUARTER_S },
  // Some 50 MiB if all are full. Forgetting one e-mail's failures takes as many failures with others, from 600 addresses.
  maxKeys: 20_000,
};

/** How often passwords are tried and accounts made; kept in memory, so a restart forgets it. */
export type Attempts = {
  /**
   * To be called before a password is checked, and before it is known whether there is an account.
   * @param address Of the client, as `toClientAddress` tells it; of IPv6 the /64 counts, which one customer has.
   * @param email As it was typed; how it is spelled makes no difference.
   * @throws {PageError} 429, when too many have failed.
   */
  readonly take: (address: string, email: string) => Promise<Attempt>;
  /**
   * To be called before an account is made, and before it is known whether its e-mail is taken: that counts as well.
   * @throws {PageError} 429, when there were too many from the address.
   */
  readonly takeSignUp: (address: string) => Promise<SignUpAttempt>;
  /** @throws {PageError} 429, when the account was asked for its password too often. */
  readonly takeCheck: (accountId: string) => Promise<void>;
};

export function newAttempts(changes: Partial<AttemptLimits> = {}): Attempts {
  const { maxKeys, ...limits } = { ...LIMITS, ...changes };
  const signIns = newLimiter(limits.signInsPerAddress, maxKeys);
  const addresses = newLimiter(limits.failuresPerAddress, maxKeys);
  const emails = newLimiter(limits.failuresPerEmail, maxKeys);
  const signUps = newLimiter(limits.signUpsPerAddress, maxKeys);
  const checks = newLimiter(limits.checksPerAccount, maxKeys);

  return {
    async take(address, email) {
      const [network, mailbox] = [toNetwork(address), toMailbox(email)];
      await takeOrRefuse(signIns, network, "There were too many sign-ins from your network address.");
      await takeOrRefuse(addresses, network, "Too many sign-ins from your network address have failed.");
      try {
        await takeOrRefuse(emails, mailbox, "Too many sign-ins with this e-mail address have failed.");
      } catch (refusal) {
        // No password was tried: whose e-mail others have locked would else lock the own address, for every other e-mail.
        await addresses.giveBack(network);
        throw refusal;
      }
      const forget = once(async () => {
        await Promise.all([addresses.giveBack(network), emails.giveBack(mailbox)]);
      });
      return { succeed: forget, withdraw: forget };
    },
    async takeSignUp(address) {
      const network = toNetwork(address);
      await takeOrRefuse(signUps, network, "There were too many sign-ups from your network address.");
      return { withdraw: once(() => signUps.giveBack(network)) };
    },
    takeCheck: (accountId) =>
      takeOrRefuse(checks, accountId, "The password of this account was asked for too many times."),
  };
}

/** What is given back twice would be somebody else's. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

async function takeOrRefuse(limiter: Limiter, key: string, what: string): Promise<void> {
  const retryAfterS = await limiter.take(key);
  if (retryAfterS === undefined) return;
  throw new PageError(429, "Too many attempts", `${what} Try again in ${toWords(retryAfterS)}.`, { retryAfterS });
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

/** Folded further than the accounts' own e-mails are compared, and all of one length. */
function toMailbox(email: string): string {
  return createHash("sha256").update(email.trim().normalize("NFKC").toLowerCase()).digest("base64url");
}
