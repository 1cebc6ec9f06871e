import { FakeEgress } from "../../fakes/fake-egress.ts";
import { type Isolation, NEVER, STEALTHY, drive, openRealHost } from "./real-host.ts";

/**
 * A process that contains only a browser host. Opens two browsers, prints a line when they are open, and runs until it
 * is killed.
 * Arguments: the isolation, the folder for sandboxes, and optionally the user to run as.
 */
const [isolation, root = "", user] = process.argv.slice(2);

if (user !== undefined) {
  process.setgroups?.([]);
  process.setgid?.(Number(user));
  process.setuid?.(Number(user));
}
const { host } = await openRealHost(isolation as Isolation, root, new FakeEgress());
console.log("opening");
const browsers = [true, false].map((isHeadless) =>
  host.launch({ ...STEALTHY, id: isHeadless ? "headless" : "graphical", isHeadless }, NEVER),
);
for (const browser of await Promise.all(browsers)) {
  await using client = await drive(browser);
  const { product } = await client.command("Browser.getVersion");
  console.log(`open: ${String(product)}`);
}
console.log("all open");
// Open browsers alone would not keep this process running.
setInterval(() => {}, 60_000);
