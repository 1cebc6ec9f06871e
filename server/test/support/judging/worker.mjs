// One worker of each kind: says what it finds to whoever started it.
import { look } from "./look.mjs";

/** @param port Whoever waits for an answer. */
function tell(port) {
  void look().then((found) => port.postMessage(found, []));
}

if ("clients" in self) {
  addEventListener("install", () => void self.skipWaiting());
  addEventListener("message", ({ source }) => tell(source));
} else if ("SharedWorkerGlobalScope" in self) {
  addEventListener("connect", ({ ports: [port] }) => tell(port));
} else {
  tell(self);
}
