import { once } from "node:events";
import { connect, createServer } from "node:net";

/** The least that a relay in Node can do: connections that are piped into others. `node bare-splice.ts PORT` */
const target = Number(process.argv[2]);
const server = createServer({ noDelay: true }, (socket) => {
  const upstream = connect({ host: "127.0.0.1", port: target, noDelay: true });
  socket.on("error", () => upstream.destroy()).pipe(upstream);
  upstream.on("error", () => socket.destroy()).pipe(socket);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
if (address === null || typeof address === "string") throw new Error("A TCP server has a port.");
process.stdout.write(`Ready on ${address.port}\n`);
