import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { HasherBusy } from "../../ports/password-hasher.ts";
import { systemClock } from "../node/system-clock.ts";
import { newArgon2Hasher } from "./argon2-hasher.ts";

const hasher = newArgon2Hasher({ randomBytes, clock: systemClock });

/** Hashes from the reference implementation of Argon2 (argon2-cffi 25.1). */
const VECTORS = [
  {
    password: "password",
    hash: "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$K13EBUiG7JV+9ZxztmHFTdb7J0WQsnj2V8bZaqyPptE",
  },
  {
    password: "Straße é 🔑 horse",
    hash: "$argon2id$v=19$m=19456,t=2,p=1$AAECAwQFBgcICQoLDA0ODw$Fs4qkxXLSFUmL+nNXsVmLfdCrWsxWBw5BmW4NR/lqvo",
  },
  // Other parameters, and a 24-byte tag.
  {
    password: "correct horse battery",
    hash: "$argon2id$v=19$m=1024,t=3,p=2$EBESExQVFhcYGRobHB0eHw$ZINoACphG51xWPiS8Nsx4fFs5Jy2i5yj",
  },
] as const;

test.each(VECTORS)("another implementation's hash of $password is verified with its own parameters", async (vector) => {
  expect(await hasher.verify(vector.password, vector.hash)).toBe(true);
  expect(await hasher.verify(`${vector.password}x`, vector.hash)).toBe(false);
});

test("the hash matches another implementation's hash for the same password and salt", async () => {
  const salts: number[] = [];
  const withSalt = newArgon2Hasher({
    clock: systemClock,
    randomBytes(length) {
      salts.push(length);
      return Buffer.from("somesaltsomesalt");
    },
  });
  expect(await withSalt.hash("password")).toBe(VECTORS[0].hash);
  expect(salts).toEqual([16]);
});

test("a password matches in any Unicode normalization form", async () => {
  const hash = await hasher.hash("caf\u00e9 \ufb01re \uff11\uff12\uff13");
  expect(await hasher.verify("cafe\u0301 fire 123", hash)).toBe(true);
  expect(await hasher.verify("cafe fire 123", hash)).toBe(false);
});

test("two hashes of one password differ", async () => {
  expect(await hasher.hash("hunter2hunter2")).not.toBe(await hasher.hash("hunter2hunter2"));
});

test.each([
  "",
  "hunter2",
  VECTORS[0].hash.replace("argon2id", "argon2i"),
  VECTORS[0].hash.replace("v=19", "v=16"),
  VECTORS[0].hash.replace("m=19456", "m=99999999"),
  VECTORS[0].hash.replace(/\$c29t[^$]*/, "$"),
  `${VECTORS[0].hash} `,
  VECTORS[0].hash.slice(0, -32),
])("a malformed hash is refused, and the error does not contain it: %s", async (hash) => {
  const verified = hasher.verify("password", hash);
  await expect(verified).rejects.toThrow("is not an argon2id hash of version 19.");
  await expect(verified).rejects.not.toThrow("c29t");
});

test("a hash is refused immediately while two run and sixteen wait, and all permits are released afterwards", async () => {
  for (let round = 0; round < 2; round += 1) {
    const hashes = Array.from({ length: 18 }, () => hasher.hash("hunter2hunter2"));
    await expect(hasher.hash("hunter2hunter2")).rejects.toThrow(HasherBusy);
    await expect(hasher.verify("password", VECTORS[0].hash)).rejects.toThrow(HasherBusy);
    expect(new Set(await Promise.all(hashes)).size).toBe(18);
  }
});

test("a hash that fails releases its permit", async () => {
  // Two lanes need at least 16 KiB, so Node refuses this hash.
  const impossible = VECTORS[2].hash.replace("m=1024", "m=8");
  for (let round = 0; round < 3; round += 1) {
    const failing = Array.from({ length: 18 }, () => hasher.verify("password", impossible));
    for (const one of await Promise.allSettled(failing)) {
      expect(one).toMatchObject({ status: "rejected", reason: { code: "ERR_OUT_OF_RANGE" } });
    }
  }
  expect(await hasher.verify("password", VECTORS[0].hash)).toBe(true);
});

test("the event loop keeps running while passwords are hashed", async () => {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await hasher.hash("hunter2hunter2");
  isDone = true;
  expect(turns).toBeGreaterThan(0);
});
