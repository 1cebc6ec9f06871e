// Runs a client in its own process: connects to an address, prints "open", and then only reads. Argument: the address.
import { WebSocket } from "ws";

const client = new WebSocket(process.argv[2] ?? "", { perMessageDeflate: false });
client.on("open", () => process.stdout.write("open\n"));
client.on("error", (error) => {
  throw error;
});
