import { createCipheriv } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newFileKeyBox, newKeyBox } from "./file-key-box.ts";

const SECRET = "sk-canary-0123456789";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rbs-test-"));
  file = join(folder, "secret.key");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a sealed secret opens for its owner, even after a restart", () => {
  const sealed = newFileKeyBox(file).seal(SECRET, "anna");
  expect(newFileKeyBox(file).unseal(sealed, "anna")).toBe(SECRET);
});

test("a sealed secret contains no part of the secret, and differs each time", () => {
  const box = newFileKeyBox(file);
  const [one, two] = [box.seal(SECRET, "anna"), box.seal(SECRET, "anna")];
  expect(one).not.toBe(two);
  const all = [one, Buffer.from(one.slice(2), "base64url").toString("latin1")].join();
  for (let at = 0; at + 6 <= SECRET.length; at += 1) expect(all).not.toContain(SECRET.slice(at, at + 6));
});

test("a secret sealed for one owner doesn't open for another", () => {
  const box = newFileKeyBox(file);
  expect(() => box.unseal(box.seal(SECRET, "anna"), "bert")).toThrow();
});

test("a secret with a changed, missing or additional bit can't be decrypted", () => {
  const box = newFileKeyBox(file);
  const sealed = box.seal(SECRET, "anna");
  const prefix = sealed.slice(0, sealed.lastIndexOf(":") + 1);
  const bytes = Buffer.from(sealed.slice(prefix.length), "base64url");
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    expect(() => box.unseal(prefix + changed.toString("base64url"), "anna")).toThrow();
  }
  const longer = Buffer.concat([bytes, Buffer.of(0)]).toString("base64url");
  for (const wrong of ["", prefix, sealed.slice(0, -4), sealed.slice(2), `1:${sealed.slice(2)}`, prefix + longer])
    expect(() => box.unseal(wrong, "anna")).toThrow();
});

test("a secret doesn't open with another key", () => {
  const sealed = newFileKeyBox(file).seal(SECRET, "anna");
  rmSync(file);
  expect(() => newFileKeyBox(file).unseal(sealed, "anna")).toThrow();
});

test("the key is generated once, at random, and only the server's user can read it", () => {
  newFileKeyBox(file);
  const made = readFileSync(file, "utf8");
  expect(Buffer.from(made.trim(), "base64url")).toHaveLength(32);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  newFileKeyBox(file);
  expect(readFileSync(file, "utf8")).toBe(made);
  rmSync(file);
  newFileKeyBox(file);
  expect(readFileSync(file, "utf8")).not.toBe(made);
});

test("a key that other users can read becomes private again", () => {
  newFileKeyBox(file);
  chmodSync(file, 0o644);
  newFileKeyBox(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test.each(["", "short", "x".repeat(100)])(
  "a key file with the content %j is refused with an error that names the file, and isn't changed",
  (content) => {
    writeFileSync(file, content);
    expect(() => newFileKeyBox(file)).toThrow(`${file} contains no key`);
    expect(readFileSync(file, "utf8")).toBe(content);
  },
);

const [OLD, NEW] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64"));

test("the first of several keys seals secrets, and each key opens secrets sealed with it", () => {
  const [before, both] = [newKeyBox(`${OLD}\n`, "The key"), newKeyBox(`${NEW}\n${OLD}\n`, "The key")];
  const sealed = before.seal(SECRET, "anna");
  expect(both.unseal(sealed, "anna")).toBe(SECRET);
  expect([before.isCurrent(sealed), both.isCurrent(sealed)]).toEqual([true, false]);
  const again = both.seal(SECRET, "anna");
  expect(both.isCurrent(again)).toBe(true);
  expect(() => before.unseal(again, "anna")).toThrow("this server doesn't have");
});

test("secrets from earlier versions, which don't name a key, can be unsealed with any of the keys", () => {
  const nonce = Buffer.alloc(12, 7);
  const cipher = createCipheriv("aes-256-gcm", Buffer.alloc(32, 1), nonce).setAAD(Buffer.from("anna"));
  const text = Buffer.concat([cipher.update(SECRET, "utf8"), cipher.final()]);
  const sealed = `1:${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url")}`;
  expect(newKeyBox(`${NEW}\n${OLD}`, "The key").unseal(sealed, "anna")).toBe(SECRET);
  expect(() => newKeyBox(String(NEW), "The key").unseal(sealed, "anna")).toThrow();
});

test("the hash of a secret depends on the key", () => {
  const [one, other] = [newKeyBox(String(OLD), "The key"), newKeyBox(String(NEW), "The key")];
  expect(one.hash(SECRET)).toMatch(/^[\w-]{22}$/);
  expect(one.hash(SECRET)).toBe(newKeyBox(String(OLD), "The key").hash(SECRET));
  expect(one.hash(SECRET)).not.toBe(other.hash(SECRET));
});
