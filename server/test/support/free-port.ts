import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that the kernel gives to outgoing connections: one of those could take the port before the program does. */
const [FIRST, LAST] = [10_000, 32_000];

/** Finds a free port on 127.0.0.1, for programs that can't choose one themselves. */
export async function freePort(): Promise<number> {
  const port = randomInt(FIRST, LAST);
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
