import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, startCluster } from "./support/deployment.ts";
import { connectDevtools } from "./support/devtools-client.ts";
import { expectExact } from "./support/exact.ts";
import { type Postgres, startPostgres } from "./support/postgres.ts";
import type { RealServer } from "./support/real-server.ts";

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres({ max_connections: 60 });
}, 60_000);
afterAll(() => postgres[Symbol.asyncDispose]());

describe("two front-ends and two workers", () => {
  let cluster: Cluster;
  let one: RealServer;
  let other: RealServer;
  let token: string;
  beforeAll(async () => {
    cluster = await startCluster(postgres, { fronts: 2, workers: 2 });
    [one, other] = cluster.fronts as [RealServer, RealServer];
    token = await cluster.newAccount("anna@example.com");
  }, 60_000);
  afterAll(() => cluster[Symbol.asyncDispose]());

  test("open browsers on both workers, and each front-end reaches all of them", async () => {
    const opened = await Promise.all(Array.from({ length: 10 }, () => one.post("Open", { Headless: false }, token)));
    expect(opened.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const rows = await cluster.query<{ worker: string }>("select distinct worker from browsers where state = 'open'");
    expect(rows).toHaveLength(2);
    expect(await other.addresses(token)).toHaveLength(10);
    for (const { body } of opened) {
      const [address, id] = [String(body["address"]), String(body["id"])];
      expect(rows.map(({ worker }) => worker)).toContain(/browser\/(.{8})/.exec(address)?.[1]);
      await using client = await connectDevtools(address.replace(one.url.host, other.url.host));
      expect(await client.command("Browser.getVersion")).toMatchObject({ product: expect.any(String) });
      expect(await other.post("Info", { id }, token)).toMatchObject({ status: 200, body: { state: "open", address } });
      expect(await other.post("Update", { id, label: "seen" }, token)).toMatchObject({
        status: 200,
        body: { label: "seen" },
      });
      await other.close(address, token);
      await client.closed;
    }
    expect(await one.addresses(token)).toEqual([]);
    await expectExact(cluster.query);
  }, 60_000);
});
