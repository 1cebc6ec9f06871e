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
])("%s is accepted", (password) => {
  expect(findPasswordFault(password, EMAIL)).toBeUndefined();
});

test.each([
  ["", "Use at least 12 characters. This password has 0."],
  ["eleven char", "has 11."],
  // Eleven code points, twenty-two UTF-16 units.
  ["🔑".repeat(11), "has 11."],
  // Letters and accents are combined before counting.
  ["e\u0301a\u0301".repeat(5), "has 10."],
  ["xy".repeat(101), "Use up to 200 characters. This password has 202."],
])("%s is too short or too long", (password, message) => {
  expect(findPasswordFault(password, EMAIL)).toContain(message);
});

test.each([
  "florentina.ruiz",
  "FLORENTINA.RUIZ",
  "florentina.ruiz@example.com",
  "my florentina.ruiz@example.com 1",
  "ﬂorentina.ruiz",
])("%s is too similar to the email address", (password) => {
  expect(findPasswordFault(password, EMAIL)).toContain("email");
});

test.each(["aaaaaaaaaaaa", "AaAaAaAaAaAa", "............", "🔑".repeat(12)])("%s repeats one character", (password) => {
  expect(findPasswordFault(password, EMAIL)).toContain("repeat a single character");
});

test.each([
  "123456789012",
  "210987654321",
  "abcdefghijkl",
  "ZYXWVUTSRQPO",
  "aBcDeFgHiJkL",
  "１２３４５６７８９０１２",
  "0123456789012345",
])("%s is a sequence", (password) => {
  expect(findPasswordFault(password, EMAIL)).toContain("sequence");
});

test.each(["passwordpassword", "QWERTYuiop123", "Correct Horse Battery Staple"])("%s is too common", (password) => {
  expect(findPasswordFault(password, EMAIL)).toContain("most common");
});

test("every common password on the list passes the other checks", () => {
  for (const common of COMMON_PASSWORDS) {
    expect(common).toBe(common.toLowerCase().normalize("NFKC"));
    expect(findPasswordFault(common, EMAIL)).toContain("most common");
    expect(findPasswordFault(`${common}~`, EMAIL)).toBeUndefined();
  }
});

test("no message contains the password", () => {
  for (const secret of ["Eleven char", "FLORENTINA.RUIZ", "zzzzzzzzzzzz", "passwordpassword"]) {
    expect(findPasswordFault(secret, EMAIL)).not.toContain(secret);
  }
});

test("an empty email address doesn't rule out any passwords", () => {
  expect(findPasswordFault("kettle on the hob", "")).toBeUndefined();
});
