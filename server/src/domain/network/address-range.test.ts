import { isIP } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isInRanges, readAddress, readAddressRange, toNetwork } from "./address-range.ts";

function isIn(address: string, range: string): boolean {
  const [read, ranges] = [readAddress(address), [readAddressRange(range)]];
  if (read === undefined) throw new Error(`${address} is not an address.`);
  return isInRanges(
    read,
    ranges.filter((one) => one !== undefined),
  );
}

test.each([
  ["10.1.2.3", "10.0.0.0/8"],
  ["10.1.2.3", "10.200.0.0/8"],
  ["10.1.2.3", "10.1.2.3"],
  ["10.1.2.3", "0.0.0.0/0"],
  ["::ffff:10.1.2.3", "10.0.0.0/8"],
  ["10.1.2.3", "::ffff:10.0.0.0/104"],
  ["10.1.2.3", "::ffff:10.1.2.3"],
  ["fd00::1", "fd00::/8"],
  ["fe80::1%eth0.100", "fe80::/10"],
  ["2001:DB8::1", "2001:db8:0:0::1"],
])("%s is in %s", (address, range) => {
  expect(isIn(address, range)).toBe(true);
});

test.each([
  ["11.1.2.3", "10.0.0.0/8"],
  ["10.1.2.4", "10.1.2.3"],
  ["10.1.2.4", "10.1.2.3/32"],
  ["::1", "0.0.0.0/0"],
  ["10.1.2.3", "::/0"],
])("%s is not in %s", (address, range) => {
  expect(isIn(address, range)).toBe(false);
});

test.each([
  "",
  "/8",
  "10.0.0.0/",
  "10.0.0.0/33",
  "10.0.0.0/-1",
  "10.0.0.0/8/8",
  "10.0.0.0/8 ",
  "10.0.0",
  "010.0.0.1",
  "0x7f.0.0.1",
  "::/129",
  "::ffff:10.0.0.0/95",
  "::ffff:010.0.0.1",
  "fd00:::1",
  "proxy.example",
  "*",
  "10.0.0.1%eth0",
])("%j is neither an address nor a range", (text) => {
  expect(readAddressRange(text)).toBeUndefined();
});

test("readAddress accepts exactly the addresses that Node.js accepts", () => {
  const part = fc.oneof(fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[0-9a-f:.x]{0,20}$/), fc.string());
  fc.assert(
    fc.property(part, (text) => {
      expect(readAddress(text) !== undefined).toBe(isIP(text) !== 0);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ["192.0.2.17", "192.0.2.17", "192.0.2.0/24"],
  ["::ffff:192.0.2.17", "192.0.2.17", "192.0.2.0/24"],
  ["2001:db8:1:2:3::4", "2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["unknown", "unknown", "unknown"],
])("the network of %s is %s, and the larger network is %s", (address, network, neighborhood) => {
  expect([toNetwork(address), toNetwork(address, 3)]).toEqual([network, neighborhood]);
});
