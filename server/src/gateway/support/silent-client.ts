// A client in a process of its own: connects to the address it is given, says so, and then only reads.
import { WebSocket } from "ws";

const client = new WebSocket(process.argv[2] ?? "", { perMessageDeflate: false });
client.on("open", () => process.stdout.write("open\n"));
client.on("error", (error) => {
  throw error;
});
