import { once } from "node:events";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";

/** The smallest program that answers as Get does with five browsers: no token, no checks and no database. */
const sessions = Array.from({ length: 5 }, () => ({
  startedOn: "2030-01-01T00:00:00.000Z",
  label: null,
  address: `ws://127.0.0.1:8080/devtools/browser/${"x".repeat(32)}`,
  vncpass: null,
}));

const app = new Hono().get("/api/v1/Browser/Get", (c) => c.json({ sessions }));
const server = createAdaptorServer({ fetch: app.fetch });
server.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
if (address === null || typeof address === "string") throw new Error("A TCP server has a port.");
process.stdout.write(`Ready on http://127.0.0.1:${address.port}\n`);
