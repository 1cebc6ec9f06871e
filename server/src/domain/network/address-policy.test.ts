import fc from "fast-check";
import { expect, test } from "vitest";
import { kindOfAddress, readHost } from "./address-policy.ts";

test.each([
  ["8.8.8.8", "public"],
  ["2606:4700::1111", "public"],
  ["127.0.0.1", "loopback"],
  ["127.255.255.254", "loopback"],
  ["::1", "loopback"],
  ["10.0.0.1", "private"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private"],
  ["172.32.0.1", "public"],
  ["192.168.1.1", "private"],
  ["fc00::1", "private"],
  ["fd12:3456::1", "private"],
  ["fec0::1", "private"],
  ["169.254.169.254", "link-local"],
  ["fe80::1", "link-local"],
  ["fe80::1%eth0", "link-local"],
  ["fd00:ec2::254", "private"],
  ["100.64.0.1", "shared"],
  ["100.127.255.255", "shared"],
  ["100.128.0.1", "public"],
  ["224.0.0.1", "multicast"],
  ["ff02::1", "multicast"],
  ["0.0.0.0", "unspecified"],
  ["0.1.2.3", "unspecified"],
  ["::", "unspecified"],
  ["255.255.255.255", "broadcast"],
  ["240.0.0.1", "reserved"],
  ["198.18.0.1", "reserved"],
  ["192.0.2.1", "reserved"],
  ["198.51.100.1", "reserved"],
  ["203.0.113.1", "reserved"],
  ["192.88.99.1", "reserved"],
  ["2001:db8::1", "reserved"],
  ["3fff::1", "reserved"],
  ["100::1", "reserved"],
  ["4000::1", "reserved"],
  ["not an address", "reserved"],
])("%s is %s", (address, kind) => {
  expect(kindOfAddress(address)).toBe(kind);
});

test.each([
  ["::ffff:127.0.0.1", "loopback"],
  ["::ffff:7f00:1", "loopback"],
  ["::ffff:8.8.8.8", "public"],
  ["::7f00:1", "reserved"],
  ["::ffff:0:7f00:1", "reserved"],
  ["64:ff9b::7f00:1", "loopback"],
  ["64:ff9b::a9fe:a9fe", "link-local"],
  ["64:ff9b::808:808", "public"],
  ["64:ff9b:1::808:808", "reserved"],
  ["2002:7f00:1::", "loopback"],
  ["2002:c0a8:101::1", "private"],
  ["2002:808:808::1", "public"],
  ["2001:0:808:808::1", "reserved"],
])("%s has the kind of its embedded IPv4 address: %s", (address, kind) => {
  expect(kindOfAddress(address)).toBe(kind);
});

test.each(["2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "127.0.0.1.", "１２７.0.0.1"])(
  "%s is read as 127.0.0.1",
  (spelling) => {
    expect(readHost(spelling)).toEqual({ is: "address", address: "127.0.0.1" });
  },
);

test.each(["[::1]", "::1", "[0:0:0:0:0:0:0:1]"])("%s is read as ::1", (spelling) => {
  expect(readHost(spelling)).toEqual({ is: "address", address: "::1" });
});

test.each(["localhost", "LOCALHOST.", "a.b.localhost", "App.Localhost."])(
  "%s is a name of this machine",
  (spelling) => {
    expect(readHost(spelling)).toMatchObject({ is: "localhost" });
  },
);

test("a name is converted to lower case and ASCII, without a trailing dot", () => {
  expect(readHost("Bücher.Example.")).toEqual({ is: "name", name: "xn--bcher-kva.example" });
  expect(readHost("_a.notlocalhost")).toEqual({ is: "name", name: "_a.notlocalhost" });
});

test.each(["", ".", "a/b", "a@b", "a b", "a:80", "[::1", "[fe80::1%25eth0]", "1.2.3.4.5", "a?b", "a\\b"])(
  "%j is not a host",
  (text) => {
    expect(readHost(text)).toBeUndefined();
  },
);

test("readHost and kindOfAddress never throw", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.ipV4Extended(), fc.ipV6()), (text) => {
      const host = readHost(text);
      kindOfAddress(host?.is === "address" ? host.address : text);
    }),
  );
});

test("an IPv6 address has the kind of its embedded IPv4 address", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const kind = kindOfAddress(address);
      expect(kindOfAddress(`::ffff:${address}`)).toBe(kind);
      const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
      const high = (a * 256 + b).toString(16);
      const low = (c * 256 + d).toString(16);
      expect(kindOfAddress(`64:ff9b::${high}:${low}`)).toBe(kind);
      expect(kindOfAddress(`2002:${high}:${low}::1`)).toBe(kind);
    }),
  );
});
