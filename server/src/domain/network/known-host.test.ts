import { expect, test } from "vitest";
import { isKnownHost, isLoopback, isOwnOrigin } from "./known-host.ts";

const OURS = ["Browsers.Example:443", undefined, "worker-7"];

test.each([
  "localhost",
  "LOCALHOST:8080",
  "127.0.0.1:80",
  "10.1.2.3",
  "[::1]:8080",
  "[2001:db8::1]",
  "[::ffff:127.0.0.1]",
  "browsers.example",
  "browsers.example:8443",
  "worker-7:1",
])("%s is a known host", (host) => {
  expect(isKnownHost(host, OURS)).toBe(true);
});

test.each([
  "",
  "evil.example",
  "localhost.evil.example",
  "127.0.0.1.evil.example",
  "evil-browsers.example",
  "a@localhost",
  "localhost:80@evil.example",
  "[evil]",
  "[127.0.0.1]",
  "[fe80::1%eth0]",
  "127.0.0.1%eth0",
  "010.0.0.1",
  "[::ffff:010.0.0.1]",
  "0x7f.1",
  "::1",
  "localhost/x",
  "1",
])("%j is not a known host", (host) => {
  expect(isKnownHost(host, OURS)).toBe(false);
});

test.each([
  ["http://127.0.0.1:8080", "127.0.0.1:8080"],
  ["https://browsers.example", "browsers.example"],
  ["https://browsers.example", "browsers.example:443"],
  ["http://Browsers.example:80", "browsers.EXAMPLE"],
  ["http://[::1]:8080", "[::1]:8080"],
])("%s is the origin of the host %s", (origin, host) => {
  expect(isOwnOrigin(origin, host)).toBe(true);
});

test.each([
  ["http://127.0.0.1:8081", "127.0.0.1:8080"],
  ["http://localhost:8080", "127.0.0.1:8080"],
  ["https://127.0.0.1", "127.0.0.1:80"],
  ["http://evil.example", "127.0.0.1"],
  ["null", "null"],
  ["file://127.0.0.1", "127.0.0.1"],
  ["chrome-extension://abc", "abc"],
  ["", ""],
])("%j is not the origin of the host %j", (origin, host) => {
  expect(isOwnOrigin(origin, host)).toBe(false);
});

test.each(["localhost", "LOCALHOST", "127.0.0.1", "127.9.9.9", "::1", "[::1]"])("%s is a loopback host", (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each(["", "0.0.0.0", "localhost.example", "127.0.0.1.example", "::"])("%j is not a loopback host", (host) => {
  expect(isLoopback(host)).toBe(false);
});
