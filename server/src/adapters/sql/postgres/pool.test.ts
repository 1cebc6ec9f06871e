import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import { StoreUnavailable } from "../../../ports/store.ts";
import { newPostgresDialect } from "./pool.ts";

/** https://www.postgresql.org/docs/current/protocol-message-formats.html */
const ACCEPTED = [toMessage("R", Buffer.alloc(4)), toMessage("Z", Buffer.from("I"))];
const TERMINATED = toMessage("E", Buffer.from("SFATAL\0C57P01\0Mterminating connection\0\0"));
/** After a restart with a full disk. */
const FULL = toMessage("E", Buffer.from("SFATAL\0CXX000\0Mcould not write init file\0\0"));

test.each<[string, readonly Buffer[]]>([
  ["ends in the packet in which it accepts it", [...ACCEPTED, TERMINATED]],
  ["can't make because its disk is full", [FULL]],
])("a connection that PostgreSQL %s fails its query only", async (_, answer) => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(Buffer.concat(answer)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const database = new Kysely<object>({
    dialect: newPostgresDialect({ url: `postgres://user@127.0.0.1:${port}/any` }),
  });
  try {
    await expect(sql`select 1`.execute(database)).rejects.toThrow(StoreUnavailable);
  } finally {
    await database.destroy();
    server.close();
  }
});

function toMessage(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(5, type);
  header.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}
