import { expect, test } from "vitest";
import { readOpenOptions, type WireOptions } from "../../domain/browser/open-options.ts";
import { WarmDemand } from "./warm-demand.ts";

const NOW = Date.parse("2026-11-21T10:00:00.000Z");

function count(demand: WarmDemand, wire: WireOptions, times = 1): void {
  for (let time = 0; time < times; time += 1) demand.count(readOpenOptions(wire), NOW);
}

function languages(demand: WarmDemand): string[] {
  return demand.slotsAt(NOW).map(({ options }) => options.switches.join(" "));
}

test("up to a thousand sets are remembered, and the least opened set is forgotten first", () => {
  const demand = new WarmDemand({ sets: [], auto: { limit: 2000, first: undefined } });
  count(demand, { Args: ["--lang=de"] }, 2);
  for (let set = 0; set < 1500; set += 1) count(demand, { Args: [`--user-agent=${set}`] });
  expect(languages(demand)).toEqual(["--lang=de"]);
  for (let set = 0; set < 1500; set += 1) count(demand, { Args: [`--user-agent=${set}`] });
  expect(languages(demand).length).toBeLessThanOrEqual(1000);
});

test("options with more than 4,096 characters aren't remembered", () => {
  const demand = new WarmDemand({ sets: [], auto: { limit: 9, first: undefined } });
  const long = ["--lang", "--user-agent", "--accept-lang"].map((name) => `${name}=${"x".repeat(1400)}`);
  const options = { ...readOpenOptions({}), switches: long };
  for (let time = 0; time < 3; time += 1) demand.count(options, NOW);
  expect(demand.slotsAt(NOW)).toEqual([]);
});
