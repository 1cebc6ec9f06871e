// Runs a gateway in its own process, so that a test can measure its memory. Argument: the browser's Unix socket.
import { countedTarget, openGatewayRig } from "./gateway-rig.ts";

const rig = await openGatewayRig(countedTarget({ path: process.argv[2] ?? "" }));
process.stdout.write(`${rig.port}\n`);
