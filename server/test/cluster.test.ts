import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, startCluster } from "./support/deployment.ts";
import { connectDevtools } from "./support/devtools-client.ts";
import { expectExact } from "./support/exact.ts";
import { type Postgres, startPostgres } from "./support/postgres.ts";
import { followChanges, signIn } from "./support/page-user.ts";
import type { RealServer } from "./support/real-server.ts";
import { until } from "./support/until.ts";

/** In this time, a page hears of a change on another server. */
const ARRIVAL_MS = 1000;

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

  test("a page on one front-end shows within a second what was opened through the other one", async () => {
    const { password } = await cluster.account("password", "--email", "anna@example.com");
    const anna = await signIn(one.url, "anna@example.com", String(password));
    await using changes = await followChanges(one.url, anna);
    const { body } = await other.post("Open", { label: "news" }, token);
    await until(changes.count, (count) => count > 0, ARRIVAL_MS);
    expect((await anna.get("/dashboard")).text).toContain("news");
    await other.close(String(body["address"]), token);
    await until(
      async () => (await anna.get("/dashboard")).text,
      (text) => !text.includes("news"),
    );
  }, 60_000);

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
