import { argon2, timingSafeEqual } from "node:crypto";
import { toComparable } from "../../domain/account/password.ts";
import type { PasswordHasher } from "../../ports/password-hasher.ts";
import { type Parameters, readKept, renderKept } from "./stored-hash.ts";
import { turns } from "../../concurrency/turns.ts";

/** What OWASP's cheat sheet on storing passwords asks for: 19 MiB and some 35 ms of a core. */
const PARAMETERS: Parameters = { memoryKiB: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/** Each takes a thread of libuv's pool of four, which files and names are read with as well. */
const AT_ONCE = 2;
const WAITING = 16;

/** Argon2id, by Node itself: it runs outside of the event loop. */
export function argon2Hasher({ randomBytes }: { readonly randomBytes: (length: number) => Buffer }): PasswordHasher {
  const inTurn = turns({ atOnce: AT_ONCE, waiting: WAITING });
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const tag = await inTurn(() => derive(password, salt, TAG_BYTES, PARAMETERS));
      return renderKept({ ...PARAMETERS, salt, tag });
    },
    async verify(password, kept) {
      const { salt, tag, ...parameters } = readKept(kept);
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
  return new Promise((resolve, reject) => {
    argon2("argon2id", { message, nonce, tagLength, memory: memoryKiB, passes, parallelism }, (error, tag) => {
      if (error === null) resolve(tag);
      else reject(error);
    });
  });
}
