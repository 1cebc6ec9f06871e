import { FakeEgress } from "../fakes/fake-egress.ts";
import { type Isolation, NEVER, STEALTHY, drive, openRealHost } from "./real-host.ts";

/**
 * A server with nothing but a browser host: opens two browsers, prints that, and waits to be killed. Arguments: the
 * isolation, the folder for sandboxes, and optionally the user to become.
 */
const [isolation, root = "", user] = process.argv.slice(2);

if (user !== undefined) {
  process.setgroups?.([]);
  process.setgid?.(Number(user));
  process.setuid?.(Number(user));
}
const host = await openRealHost(isolation as Isolation, root, new FakeEgress());
console.log("opening");
const browsers = [true, false].map((isHeadless) =>
  host.open({ ...STEALTHY, id: isHeadless ? "headless" : "graphical", isHeadless }, NEVER),
);
for (const browser of await Promise.all(browsers)) {
  await using client = await drive(browser);
  const { product } = await client.command("Browser.getVersion");
  console.log(`open: ${String(product)}`);
}
console.log("all open");
// Open browsers alone would not keep this process running.
setInterval(() => {}, 60_000);
