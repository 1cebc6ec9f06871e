import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { Pool } from "pg";
import { listen } from "./listen.ts";

/**
 * The smallest program that returns the same bytes as Get with five open browsers, but without authentication,
 * validation, or a database.
 *
 * `node bare-route.ts [DATABASE_URL CONNECTIONS]` With a server's PostgreSQL URL, reads one row by key per request.
 */
const sessions = Array.from({ length: 5 }, () => ({
  startedOn: "2030-01-01T00:00:00.000Z",
  label: null,
  address: `ws://127.0.0.1:8080/devtools/browser/${"x".repeat(32)}`,
  vncpass: null,
}));

const [databaseUrl, connections] = process.argv.slice(2);
const readRow = databaseUrl === undefined ? undefined : await openReader(databaseUrl, Number(connections));

const app = new Hono().get("/api/v1/Browser/Get", async (c) => {
  await readRow?.();
  return c.json({ sessions });
});
const port = await listen(createAdaptorServer({ fetch: app.fetch }));
process.stdout.write(`Ready on http://127.0.0.1:${port}\n`);

async function openReader(url: string, max: number): Promise<() => Promise<unknown>> {
  const pool = new Pool({ connectionString: url, max });
  const [account] = (await pool.query<{ id: string }>("select id from accounts limit 1")).rows;
  return () => pool.query("select * from accounts where id = $1", [account?.id]);
}
