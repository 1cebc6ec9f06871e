import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** These ports are below the kernel's range for outgoing connections: `ip_local_port_range` in ip(7). */
const [FIRST, END] = [15_000, 32_768];

/**
 * Finds a free port on 127.0.0.1, for programs that can't choose a port themselves. No outgoing connection takes the
 * port before the program listens or while it restarts.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(FIRST, END);
  const server = createServer().listen(port, "127.0.0.1");
  const isFree = await once(server, "listening").then(
    () => true,
    () => false,
  );
  if (!isFree) return freePort();
  server.close();
  await once(server, "close");
  return port;
}
