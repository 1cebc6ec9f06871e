// The script for all three kinds of workers. Sends its findings to the page.
import { collect } from "./collect.mjs";

/** @param port Receives the findings. */
function send(port) {
  void collect().then((found) => port.postMessage(found, []));
}

if ("clients" in self) {
  addEventListener("install", () => void self.skipWaiting());
  addEventListener("message", ({ source }) => send(source));
} else if ("SharedWorkerGlobalScope" in self) {
  addEventListener("connect", ({ ports: [port] }) => send(port));
} else {
  send(self);
}
