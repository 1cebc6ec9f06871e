import { once } from "node:events";
import { createServer } from "node:http";
import {
  attachGateway,
  isWebSocketUpgrade,
  renderUpgradeRefusal,
  systemClock,
} from "../../../server/test/interface.ts";

/** The gateway of a front-end, with one worker that has all browsers. `node bare-front.ts PORT` */
const worker = { id: "worker01", url: new URL(`http://127.0.0.1:${process.argv[2]}`) };
const server = createServer({ shouldUpgradeCallback: isWebSocketUpgrade });
attachGateway(server, {
  findBrowser: () => undefined,
  findDesktop: () => undefined,
  findWorker: () => worker,
  pathPrefix: "",
  publicHost: undefined,
  origins: new Set(),
  renderRefusal: (refusal) => renderUpgradeRefusal(refusal, ""),
  clock: systemClock,
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
if (address === null || typeof address === "string") throw new Error("A TCP server has a port.");
process.stdout.write(`Ready on ${address.port}\n`);
