// A gateway in a process of its own, so that its memory can be told from the test's. Argument: the browser's Unix socket.
import { countedTarget, openGatewayRig } from "./gateway-rig.ts";

const rig = await openGatewayRig(countedTarget({ path: process.argv[2] ?? "" }));
process.stdout.write(`${rig.port}\n`);
