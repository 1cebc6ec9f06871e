import { expect, test } from "vitest";
import { readKey, readWorkerId, toAddress } from "./address.ts";

const key = "5bZevVJTz5cCMoBYffCCNsEv5qQrU6U-";

test.each([
  ["http://127.0.0.1:8080/", `ws://127.0.0.1:8080/devtools/browser/${key}`],
  ["https://browsers.example", `wss://browsers.example/devtools/browser/${key}`],
  ["https://example.com/eu/7/", `wss://example.com/eu/7/devtools/browser/${key}`],
  ["http://[::1]:8080", `ws://[::1]:8080/devtools/browser/${key}`],
])("with the base URL %s, an address is %s", (base, address) => {
  expect(toAddress(new URL(base), key)).toBe(address);
  expect(readKey(address)).toBe(key);
});

test.each([
  `127.0.0.1:8080/devtools/browser/${key}`,
  `ws://elsewhere.example/prefix/devtools/browser/${key}?x=1`,
  `/devtools/browser/${key}#fragment`,
  `ws://127.0.0.1:8080/devtools/browser/${key}/`,
])("readKey finds the key in %s", (address) => {
  expect(readKey(address)).toBe(key);
});

test.each([
  "",
  "ws://127.0.0.1:8080/",
  "ws://host/devtools/browser/",
  "ws://host/devtools/browser/short",
  `ws://host/x?/devtools/browser/${key}`,
])("%j contains no key", (address) => {
  expect(readKey(address)).toBeUndefined();
});

test.each([
  [`worker01${"K".repeat(22)}`, "worker01"],
  [`worker01${"-".repeat(120)}`, "worker01"],
  [`worker01${"K".repeat(21)}`, undefined],
  [`worker01${"K".repeat(121)}`, undefined],
  [`Worker01${"K".repeat(22)}`, undefined],
  [`worker01${"K".repeat(21)}/`, undefined],
  ["", undefined],
])("the key %j begins with the worker's id %j", (made, id) => {
  expect(readWorkerId(made)).toBe(id);
});
