import { expect, test } from "vitest";
import { readRanges } from "../../../test/support/proxies/egress-rig.ts";
import { readHost } from "./address-policy.ts";
import { NO_RULES, WEB_PORTS, isDomainAllowed, isPortAllowed, refuseAddress } from "./egress-rules.ts";

const OWN = readRanges("203.0.114.0/24", "2a01:4f8:1:2::/64");
const DENIED = readRanges("9.9.9.0/24", "10.1.0.0/16", "2620:fe::/48");

test.each([
  ["8.8.8.8", undefined],
  ["2606:4700::1111", undefined],
  // Addresses that the operator denies, in every equivalent form.
  ["9.9.9.9", "denied"],
  ["::ffff:9.9.9.9", "denied"],
  ["64:ff9b::909:909", "denied"],
  ["2002:909:909::1", "denied"],
  ["2620:fe::9", "denied"],
  // Addresses inside a cloud.
  ["168.63.129.16", "cloud"],
  ["::ffff:168.63.129.16", "cloud"],
  ["64:ff9b::a83f:8110", "cloud"],
  ["168.63.129.17", undefined],
  ["169.254.169.254", "link-local"],
  ["100.100.100.200", "shared"],
  ["192.0.0.192", "reserved"],
  ["fd00:ec2::254", "private"],
  ["fd20:ce::254", "private"],
  // Addresses in the machine's own networks.
  ["203.0.114.1", "own"],
  ["203.0.114.254", "own"],
  ["203.0.115.1", undefined],
  ["2a01:4f8:1:2:ffff::1", "own"],
  ["2a01:4f8:1:3::1", undefined],
])("with the policy public, the reason to block %s is %s", (address, refusal) => {
  expect(refuseAddress(address, { ...NO_RULES, policy: "public", denied: DENIED }, OWN)).toBe(refusal);
});

test.each([
  ["127.0.0.1", undefined],
  ["168.63.129.16", undefined],
  ["203.0.114.1", undefined],
  ["10.1.2.3", "denied"],
  ["10.2.0.1", undefined],
])("with the policy any, the reason to block %s is %s", (address, refusal) => {
  expect(refuseAddress(address, { ...NO_RULES, denied: DENIED }, OWN)).toBe(refusal);
});

test.each([
  [80, true],
  [443, true],
  [8080, true],
  [65_535, true],
  [22, false],
  [25, false],
  [465, false],
  [587, false],
  [2525, false],
  [1023, false],
  [0, false],
])("with the default ports, %i is allowed: %s", (port, isAllowed) => {
  expect(isPortAllowed(port, { ...NO_RULES, ports: WEB_PORTS })).toBe(isAllowed);
});

const allowed = (name: string) => ({ name, isAllowed: true });
const blocked = (name: string) => ({ name, isAllowed: false });

test.each([
  ["anything.example", [], true],
  ["ads.example", [blocked("ads.example")], false],
  ["x.Ads.Example.", [blocked("ads.example")], false],
  ["badads.example", [blocked("ads.example")], true],
  ["shop.example", [allowed("shop.example")], true],
  ["www.shop.example", [allowed("shop.example")], true],
  ["other.example", [allowed("shop.example")], false],
  ["8.8.8.8", [allowed("shop.example")], false],
  ["localhost", [allowed("shop.example")], false],
  ["0x08080808", [allowed("8.8.8.8")], true],
  // The longest matching rule wins, regardless of the order.
  ["admin.shop.example", [blocked("admin.shop.example"), allowed("shop.example")], false],
  ["open.admin.shop.example", [allowed("open.admin.shop.example"), blocked("admin.shop.example")], true],
])("%s with the domains %j is allowed: %s", (text, domains, isAllowed) => {
  const host = readHost(text);
  expect(host && isDomainAllowed(host, { ...NO_RULES, domains })).toBe(isAllowed);
});
