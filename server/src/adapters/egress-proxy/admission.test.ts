import { expect, test } from "vitest";
import { admit, coalesce, limit } from "./admission.ts";

const NOWHERE = { ownAddresses: new Set<string>(), isUpstream: false, lookup: async () => [] };

/** What a connection would be made to. */
async function connectable(host: string, options: Partial<Parameters<typeof admit>[1]>): Promise<unknown> {
  const lookup = await admit(host, { ...NOWHERE, policy: "public", ...options });
  const all = await new Promise((resolve) =>
    lookup("elsewhere.example", { all: true }, (_error, found) => resolve(found)),
  );
  const one = await new Promise((resolve) => lookup("elsewhere.example", {}, (_error, ...found) => resolve(found)));
  expect(one).toEqual(Object.values((all as [object])[0]));
  return all;
}

test("of a name's addresses the public ones are left, in their order", async () => {
  const lookup = async () => ["127.0.0.1", "2606:4700::1", "10.0.0.1", "8.8.8.8", "::1"];
  expect(await connectable("mixed.example", { lookup })).toEqual([
    { address: "2606:4700::1", family: 6 },
    { address: "8.8.8.8", family: 4 },
  ]);
});

test("with every address allowed, a name's addresses are all left, and localhost is both of its", async () => {
  const lookup = async () => ["10.0.0.1"];
  expect(await connectable("lan.example", { lookup, policy: "any" })).toEqual([{ address: "10.0.0.1", family: 4 }]);
  expect(await connectable("x.localhost", { policy: "any" })).toEqual([
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ]);
});

test("a name is looked up once for a connection, however it is asked for", async () => {
  let asked = 0;
  const lookup = async () => (asked++ === 0 ? ["8.8.8.8"] : ["127.0.0.1"]);
  expect(await connectable("rebind.example", { lookup })).toEqual([{ address: "8.8.8.8", family: 4 }]);
  expect(asked).toBe(1);
});

test("the machine's own addresses are refused, public ones too", async () => {
  const ownAddresses = new Set(["8.8.8.8"]);
  await expect(connectable("8.8.8.8", { ownAddresses })).rejects.toThrow(
    "8.8.8.8 is an address of the machine that runs the browsers.",
  );
  expect(await connectable("8.8.8.8", { ownAddresses, policy: "any" })).toHaveLength(1);
});

test("a name that stands for nothing has no address", async () => {
  for (const host of ["none.example", "", "a b"]) {
    await expect(connectable(host, {})).rejects.toMatchObject({ code: "ENOTFOUND" });
  }
});

test("those who want the same name at once share one answer, later ones get a new one", async () => {
  let asked = 0;
  const lookup = coalesce(async () => [String((asked += 1))]);
  expect(await Promise.all([lookup("a"), lookup("a"), lookup("b")])).toEqual([["1"], ["1"], ["2"]]);
  expect(await lookup("a")).toEqual(["3"]);
});

test("a lookup that takes too long is given up", async () => {
  await expect(limit(() => new Promise(() => undefined), 5)("a")).rejects.toMatchObject({ code: "ETIMEDOUT" });
});
