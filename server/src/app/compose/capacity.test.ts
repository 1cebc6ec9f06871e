import { expect, test } from "vitest";
import type { Role, Server } from "../../ports/cluster/server-registry.ts";
import { warnOfConnections } from "./capacity.ts";

const DATABASE = { url: "postgres://one/", directUrl: "postgres://one/", fenceMs: 900_000 };

function toServer(role: Role | undefined, isAlive = true): Server {
  const report = { version: "1.0.0", kinds: [], plans: "12345678", capacity: 4, taken: 0, warm: 0 };
  return { ...report, role, id: "aaaaaaaa", instance: "1", wanted: "active", isAlive, seenAt: new Date(0) };
}

async function warn(limit: number, servers: readonly Server[], database = DATABASE): Promise<readonly string[]> {
  return warnOfConnections({ list: async () => [...servers], connectionLimit: async () => limit }, { database });
}

test("at startup, a server warns if PostgreSQL accepts fewer connections than the servers may open", async () => {
  // 7 + 4 + 7
  const servers = [toServer("front"), toServer("worker"), toServer(undefined), toServer("front", false)];
  expect(await warn(18, servers)).toEqual([]);
  const [warning] = await warn(17, servers);
  expect(warning).toContain(
    "The 3 servers that use this database may open 18 connections, but PostgreSQL accepts only 17.",
  );
});

test("a server behind a connection pooler doesn't warn", async () => {
  expect(await warn(1, [toServer("front")], { ...DATABASE, url: "postgres://pooler/" })).toEqual([]);
});
