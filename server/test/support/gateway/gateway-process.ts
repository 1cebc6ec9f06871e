// Runs a gateway in its own process, so that a test can measure its memory. Argument: the browser's Unix socket, or a
// worker's URL.
import { countedTarget, openGatewayRig } from "./gateway-rig.ts";

const [to = ""] = process.argv.slice(2);
const url = URL.parse(to);
const rig = await openGatewayRig(
  countedTarget({ path: to }),
  url
    ? {
        findBrowser: () => undefined,
        findWorker: () => ({ id: "worker01", url, isAlive: true, verify: async () => {} }),
      }
    : {},
);
process.stdout.write(`${rig.port}\n`);
