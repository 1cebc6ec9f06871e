import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { HasherBusy } from "../../ports/password-hasher.ts";
import { systemClock } from "../system-clock/system-clock.ts";
import { argon2Hasher } from "./argon2-hasher.ts";

const hasher = argon2Hasher({ randomBytes, clock: systemClock });

/** What the reference implementation of Argon2 makes (argon2-cffi 25.1). */
const VECTORS = [
  {
    password: "password",
    kept: "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$K13EBUiG7JV+9ZxztmHFTdb7J0WQsnj2V8bZaqyPptE",
  },
  {
    password: "Straße é 🔑 horse",
    kept: "$argon2id$v=19$m=19456,t=2,p=1$AAECAwQFBgcICQoLDA0ODw$Fs4qkxXLSFUmL+nNXsVmLfdCrWsxWBw5BmW4NR/lqvo",
  },
  // Other parameters, and a tag of 24 bytes.
  {
    password: "correct horse battery",
    kept: "$argon2id$v=19$m=1024,t=3,p=2$EBESExQVFhcYGRobHB0eHw$ZINoACphG51xWPiS8Nsx4fFs5Jy2i5yj",
  },
] as const;

test.each(VECTORS)(
  "what another implementation made of $password is understood, by the parameters it names",
  async (vector) => {
    expect(await hasher.verify(vector.password, vector.kept)).toBe(true);
    expect(await hasher.verify(`${vector.password}x`, vector.kept)).toBe(false);
  },
);

test("what is kept is what another implementation makes of the same password and salt", async () => {
  const salts: number[] = [];
  const withSalt = argon2Hasher({
    clock: systemClock,
    randomBytes(length) {
      salts.push(length);
      return Buffer.from("somesaltsomesalt");
    },
  });
  expect(await withSalt.hash("password")).toBe(VECTORS[0].kept);
  expect(salts).toEqual([16]);
});

test("a password is the same however a keyboard composes its letters", async () => {
  const kept = await hasher.hash("caf\u00e9 \ufb01re \uff11\uff12\uff13");
  expect(await hasher.verify("cafe\u0301 fire 123", kept)).toBe(true);
  expect(await hasher.verify("cafe fire 123", kept)).toBe(false);
});

test("the same password is kept differently each time", async () => {
  expect(await hasher.hash("hunter2hunter2")).not.toBe(await hasher.hash("hunter2hunter2"));
});

test.each([
  "",
  "hunter2",
  VECTORS[0].kept.replace("argon2id", "argon2i"),
  VECTORS[0].kept.replace("v=19", "v=16"),
  VECTORS[0].kept.replace("m=19456", "m=99999999"),
  VECTORS[0].kept.replace(/\$c29t[^$]*/, "$"),
  `${VECTORS[0].kept} `,
  VECTORS[0].kept.slice(0, -32),
])("nothing is compared with what is no hash, and it is not told: %s", async (kept) => {
  const verified = hasher.verify("password", kept);
  await expect(verified).rejects.toThrow("is no argon2id hash of version 19.");
  await expect(verified).rejects.not.toThrow("c29t");
});

test("past two at work and sixteen behind them passwords are refused at once, and all is free again afterwards", async () => {
  for (let round = 0; round < 2; round += 1) {
    const taken = Array.from({ length: 18 }, () => hasher.hash("hunter2hunter2"));
    await expect(hasher.hash("hunter2hunter2")).rejects.toThrow(HasherBusy);
    await expect(hasher.verify("password", VECTORS[0].kept)).rejects.toThrow(HasherBusy);
    expect(new Set(await Promise.all(taken)).size).toBe(18);
  }
});

test("a hash that fails holds no place", async () => {
  // Two lanes need 16 KiB or more: Node refuses it.
  const impossible = VECTORS[2].kept.replace("m=1024", "m=8");
  for (let round = 0; round < 3; round += 1) {
    const failing = Array.from({ length: 18 }, () => hasher.verify("password", impossible));
    for (const one of await Promise.allSettled(failing)) {
      expect(one).toMatchObject({ status: "rejected", reason: { code: "ERR_OUT_OF_RANGE" } });
    }
  }
  expect(await hasher.verify("password", VECTORS[0].kept)).toBe(true);
});

test("the event loop goes on while passwords are hashed", async () => {
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
