import { argon2, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { toComparable } from "../../domain/account/password.ts";
import type { Clock } from "../../ports/clock.ts";
import { HasherBusy, type PasswordHasher } from "../../ports/password-hasher.ts";
import { type Parameters, readHash, renderHash } from "./stored-hash.ts";
import { Semaphore } from "../../concurrency/semaphore.ts";

/** Recommended by OWASP's Password Storage Cheat Sheet: 19 MiB and about 35 ms of processor time. */
const PARAMETERS: Parameters = { memoryKiB: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/** Each hash occupies one of libuv's four threads, which also read files and resolve names. */
const AT_ONCE = 2;
const WAITING = 16;

type Argon2Options = {
  readonly randomBytes: (length: number) => Buffer;
  readonly clock: Pick<Clock, "after">;
};

/** Node's built-in Argon2id, which runs outside the event loop. */
export function newArgon2Hasher({ randomBytes, clock }: Argon2Options): PasswordHasher {
  const permits = new Semaphore({
    limit: AT_ONCE,
    maxWaiting: WAITING,
    clock,
    onFull: () => new HasherBusy("The server is already checking as many passwords as it can."),
  });
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    using _permit = await permits.acquire();
    return await work();
  };
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const tag = await inTurn(() => derive(password, salt, TAG_BYTES, PARAMETERS));
      return renderHash({ ...PARAMETERS, salt, tag });
    },
    async verify(password, stored) {
      const { salt, tag, ...parameters } = readHash(stored);
      return timingSafeEqual(tag, await inTurn(() => derive(password, salt, tag.length, parameters)));
    },
  };
}

function derive(
  password: string,
  nonce: Buffer,
  tagLength: number,
  { memoryKiB, passes, parallelism }: Parameters,
): Promise<Buffer> {
  const message = Buffer.from(toComparable(password));
  return promisify(argon2)("argon2id", { message, nonce, tagLength, memory: memoryKiB, passes, parallelism });
}
