import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

test("the operator's egress rules are read; browsers that may reach any address may use any port", () => {
  const { egress } = readConfig({
    RBS_EGRESS_DENY: "9.9.9.9, 2620:fe::/48",
    RBS_EGRESS_PORTS: "443,8000-8999",
    RBS_EGRESS_DOMAINS: "*.Shop.example,!ads.example",
  });
  expect(egress.denied).toHaveLength(2);
  expect(egress.ports).toEqual([
    [443, 443],
    [8000, 8999],
  ]);
  expect(egress.domains).toEqual([
    { name: "shop.example", isAllowed: true },
    { name: "ads.example", isAllowed: false },
  ]);
  expect(readConfig({ RBS_EGRESS: "any" }).egress.ports).toEqual([[1, 65_535]]);
  expect(readConfig({ RBS_EGRESS_PORTS: "any" }).egress.ports).toEqual([[1, 65_535]]);
});
