import { createSocket } from "node:dgram";
import { lookup as lookupBySystem } from "node:dns/promises";
import { once } from "node:events";
import { expect, test } from "vitest";
import { PUBLIC_RULES, readRanges } from "../../../test/support/proxies/egress-rig.ts";
import { NO_RULES } from "../../domain/network/egress-rules.ts";
import { newLookup, resolveAllowed, newSharedLookup } from "./resolve.ts";

const DEFAULTS = { rules: PUBLIC_RULES, ownNetworks: [], isUpstream: false, lookup: async () => [] };

/** Returns the addresses that a connection to the host may use. */
async function connectable(host: string, options: Partial<Parameters<typeof resolveAllowed>[1]>): Promise<unknown> {
  const lookup = await resolveAllowed(host, { ...DEFAULTS, ...options });
  const all = await new Promise((resolve) =>
    lookup("elsewhere.example", { all: true }, (_error, found) => resolve(found)),
  );
  const one = await new Promise((resolve) => lookup("elsewhere.example", {}, (_error, ...found) => resolve(found)));
  expect(one).toEqual(Object.values((all as [object])[0]));
  return all;
}

test("a name keeps its public addresses, in the original order", async () => {
  const lookup = async () => ["127.0.0.1", "2606:4700::1", "10.0.0.1", "8.8.8.8", "::1"];
  expect(await connectable("mixed.example", { lookup })).toEqual([
    { address: "2606:4700::1", family: 6 },
    { address: "8.8.8.8", family: 4 },
  ]);
});

test("with the policy any, a name keeps all its addresses, and localhost has both loopback addresses", async () => {
  const lookup = async () => ["10.0.0.1"];
  expect(await connectable("lan.example", { lookup, rules: NO_RULES })).toEqual([{ address: "10.0.0.1", family: 4 }]);
  expect(await connectable("x.localhost", { rules: NO_RULES })).toEqual([
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ]);
});

test("a connection resolves its name once", async () => {
  let asked = 0;
  const lookup = async () => (asked++ === 0 ? ["8.8.8.8"] : ["127.0.0.1"]);
  expect(await connectable("rebind.example", { lookup })).toEqual([{ address: "8.8.8.8", family: 4 }]);
  expect(asked).toBe(1);
});

test("addresses in the machine's own networks are refused, even public ones", async () => {
  const ownNetworks = readRanges("8.8.8.0/24");
  await expect(connectable("8.8.8.8", { ownNetworks })).rejects.toThrow(
    "8.8.8.8 is in a network of the machine that runs the browsers.",
  );
  expect(await connectable("8.8.8.8", { ownNetworks, rules: NO_RULES })).toHaveLength(1);
});

test("a host name that doesn't resolve fails with ENOTFOUND, and so does text that isn't a host name", async () => {
  for (const host of ["none.example", "", "a b"]) {
    await expect(connectable(host, {})).rejects.toMatchObject({ code: "ENOTFOUND" });
  }
});

test("concurrent lookups of a name share one answer; later ones get a new answer", async () => {
  let asked = 0;
  const lookup = newSharedLookup(async () => [String((asked += 1))], 1_000);
  expect(await Promise.all([lookup("a"), lookup("a"), lookup("b")])).toEqual([["1"], ["1"], ["2"]]);
  expect(await lookup("a")).toEqual(["3"]);
});

test("a slow lookup times out", async () => {
  await expect(newSharedLookup(() => new Promise(() => undefined), 5)("a")).rejects.toMatchObject({
    code: "ETIMEDOUT",
  });
});

test("lookups of names whose servers don't respond fail in time and don't delay other lookups", async () => {
  const silent = createSocket("udp4").bind(0, "127.0.0.1");
  await once(silent, "listening");
  const resolve = newLookup({ servers: [`127.0.0.1:${silent.address().port}`], timeoutMs: 200 });
  let isOver = false;
  const silence = Promise.allSettled(Array.from({ length: 20 }, (_, index) => resolve(`name${index}.example`))).then(
    (answers) => {
      isOver = true;
      return answers;
    },
  );
  expect((await lookupBySystem("localhost")).address).toBeDefined();
  expect(isOver).toBe(false);
  for (const answer of await silence)
    expect(answer).toMatchObject({ status: "rejected", reason: { code: "ETIMEOUT" } });
  silent.close();
});

test("a name that DNS can't resolve is resolved by the system", async () => {
  const refusing = newLookup({ servers: ["127.0.0.1:9"], timeoutMs: 200 });
  expect(await refusing("localhost")).toEqual(expect.arrayContaining([expect.stringMatching(/^127|^::1/)]));
});
