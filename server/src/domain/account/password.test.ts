import { expect, test } from "vitest";
import { COMMON_PASSWORDS } from "./common-passwords.ts";
import { findPasswordFault } from "./password.ts";

const EMAIL = "Florentina.Ruiz@Example.com";

test.each([
  "kettle on the hob",
  "Tr0ub4dor&3 or so",
  "🔑🔒🗝🔐🪪🧷📎✂📌📍🖇🗑",
  "aaaaaaaaaaab",
  "123456789013",
  "correct horse battery stable",
  "not florentina.ruiz at all",
  "x".repeat(2) + "y".repeat(198),
])("%s can be chosen", (password) => {
  expect(findPasswordFault(password, EMAIL)).toBeUndefined();
});

test.each([
  ["", "has 0 characters; it needs 12"],
  ["eleven char", "has 11 characters"],
  // Eleven for people, twenty-two for JavaScript.
  ["🔑".repeat(11), "has 11 characters"],
  // Letters and their accents apart: they are put together before they are counted.
  ["e\u0301a\u0301".repeat(5), "has 10 characters"],
  ["xy".repeat(101), "has 202 characters; 200 is the most"],
])("%s is too short or too long", (password, words) => {
  expect(findPasswordFault(password, EMAIL)).toContain(words);
});

test.each([
  "florentina.ruiz",
  "FLORENTINA.RUIZ",
  "florentina.ruiz@example.com",
  "my florentina.ruiz@example.com 1",
  "ﬂorentina.ruiz",
])("%s is the e-mail address in other words", (password) => {
  expect(findPasswordFault(password, EMAIL)).toContain("e-mail");
});

test.each(["aaaaaaaaaaaa", "AaAaAaAaAaAa", "............", "🔑".repeat(12)])("%s is one character", (password) => {
  expect(findPasswordFault(password, EMAIL)).toContain("over and over");
});

test.each([
  "123456789012",
  "210987654321",
  "abcdefghijkl",
  "ZYXWVUTSRQPO",
  "aBcDeFgHiJkL",
  "１２３４５６７８９０１２",
  "0123456789012345",
])("%s is a run", (password) => {
  expect(findPasswordFault(password, EMAIL)).toContain("plain run");
});

test.each(["passwordpassword", "QWERTYuiop123", "Correct Horse Battery Staple"])("%s is guessed first", (password) => {
  expect(findPasswordFault(password, EMAIL)).toContain("guessed first");
});

test("what is listed as common could be chosen otherwise, so that nothing stands there in vain", () => {
  for (const common of COMMON_PASSWORDS) {
    expect(common).toBe(common.toLowerCase().normalize("NFKC"));
    expect(findPasswordFault(common, EMAIL)).toContain("guessed first");
    expect(findPasswordFault(`${common}~`, EMAIL)).toBeUndefined();
  }
});

test("no fault shows the password", () => {
  for (const secret of ["Eleven char", "FLORENTINA.RUIZ", "zzzzzzzzzzzz", "passwordpassword"]) {
    expect(findPasswordFault(secret, EMAIL)).not.toContain(secret);
  }
});

test("an e-mail of nothing forbids nothing", () => {
  expect(findPasswordFault("kettle on the hob", "")).toBeUndefined();
});
