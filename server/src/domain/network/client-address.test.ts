import fc from "fast-check";
import { expect, test } from "vitest";
import { addressRanges } from "../../config/egress.ts";
import { isForwardedInClear, toClientAddress } from "./client-address.ts";

const TRUSTED = addressRanges.parse("10.0.0.0/8, 127.0.0.1, fd00::/8");

test.each([
  // An untrusted peer is the client, regardless of the header it sends.
  ["192.0.2.1", "198.51.100.7", "192.0.2.1"],
  ["192.0.2.1", undefined, "192.0.2.1"],
  ["2001:db8::1", "10.0.0.1", "2001:db8::1"],
  // A trusted peer reports the client's address.
  ["10.0.0.1", "198.51.100.7", "198.51.100.7"],
  ["::ffff:10.0.0.1", "198.51.100.7", "198.51.100.7"],
  ["fd00::1", "2001:db8::7", "2001:db8::7"],
  ["127.0.0.1", "198.51.100.7, 10.0.0.9,10.0.0.8", "198.51.100.7"],
  // Any client can forge the entries to the left of its own address.
  ["10.0.0.1", "203.0.113.9, 198.51.100.7", "198.51.100.7"],
  ["10.0.0.1", "203.0.113.9, 198.51.100.7, 10.0.0.2", "198.51.100.7"],
  // If all addresses are trusted, the leftmost is the client.
  ["10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
  ["10.0.0.1", undefined, "10.0.0.1"],
  ["10.0.0.1", "", "10.0.0.1"],
  // An invalid entry ends the search.
  ["10.0.0.1", "198.51.100.7, unknown", "10.0.0.1"],
  ["10.0.0.1", "198.51.100.7, , 10.0.0.2", "10.0.0.2"],
  ["10.0.0.1", "198.51.100.7, 010.0.0.2, 10.0.0.3", "10.0.0.3"],
  ["10.0.0.1", "198.51.100.7:99999999", "10.0.0.1"],
  ["10.0.0.1", "[198.51.100.7]", "10.0.0.1"],
  // Ports and spellings.
  ["10.0.0.1", "198.51.100.7:567", "198.51.100.7"],
  ["10.0.0.1", "[2001:DB8::7]:443", "2001:db8::7"],
  ["10.0.0.1", "[2001:db8:0:0::7]", "2001:db8::7"],
  ["10.0.0.1", "::ffff:198.51.100.7", "198.51.100.7"],
  ["10.0.0.1", "[::ffff:10.0.0.2]:1\t", "10.0.0.2"],
  ["::ffff:192.0.2.1", undefined, "192.0.2.1"],
  ["fe80::1%eth0", undefined, "fe80::1"],
  // A Unix socket has no address.
  [undefined, "198.51.100.7", "unknown"],
  ["", "198.51.100.7", "unknown"],
])("a request from %s with X-Forwarded-For %s is attributed to %s", (peer, forwardedFor, client) => {
  expect(toClientAddress(peer, forwardedFor, TRUSTED)).toBe(client);
});

test("without trusted proxies, the peer is the client", () => {
  expect(toClientAddress("127.0.0.1", "198.51.100.7", [])).toBe("127.0.0.1");
});

const outside = fc
  .tuple(fc.ipV4(), fc.ipV6())
  .map(([v4, v6]) => [v4, v6].map((address) => toClientAddress(address, undefined, [])))
  .chain((both) => fc.constantFrom(...both))
  .filter((address) => toClientAddress(address, "192.0.2.1", TRUSTED) !== "192.0.2.1");
const proxy = fc.integer({ min: 0, max: 255 }).chain((n) => fc.constantFrom(`10.0.0.${n}`, `fd00::${n.toString(16)}`));

test("the first proxy's peer is the client, regardless of what the client sends", () => {
  fc.assert(
    fc.property(fc.string(), outside, fc.array(proxy), proxy, (written, client, proxies, peer) => {
      const forwardedFor = [written, client, ...proxies].join(", ");
      expect(toClientAddress(peer, forwardedFor, TRUSTED)).toBe(client);
    }),
  );
});

test("the headers from an untrusted peer are ignored", () => {
  fc.assert(
    fc.property(fc.string(), outside, (written, client) => {
      expect(toClientAddress(client, written, TRUSTED)).toBe(client);
      expect(isForwardedInClear(client, "http", TRUSTED)).toBe(false);
    }),
  );
});

test.each([
  ["10.0.0.1", "http", true],
  ["::ffff:10.0.0.1", " HTTP ", true],
  ["10.0.0.1", "https, http", true],
  ["10.0.0.1", "http, https", false],
  ["10.0.0.1", "https", false],
  ["10.0.0.1", "", false],
  ["10.0.0.1", undefined, false],
  ["192.0.2.1", "http", false],
  [undefined, "http", false],
])("a request from %s with X-Forwarded-Proto %j is unencrypted: %s", (peer, forwardedProto, isInClear) => {
  expect(isForwardedInClear(peer, forwardedProto, TRUSTED)).toBe(isInClear);
});
