import { connect, createServer } from "node:net";
import { listen } from "./listen.ts";

/** The smallest relay in Node: it pipes each incoming connection to a local port. `node bare-splice.ts PORT` */
const target = Number(process.argv[2]);
const server = createServer({ noDelay: true }, (socket) => {
  const upstream = connect({ host: "127.0.0.1", port: target, noDelay: true });
  socket.on("error", () => upstream.destroy()).pipe(upstream);
  upstream.on("error", () => socket.destroy()).pipe(socket);
});
process.stdout.write(`Ready on ${await listen(server)}\n`);
