import { FakeEgress } from "../fakes/fake-egress.ts";
import { NEVER, type Place, STEALTHY, drive, openRealHost } from "./real-host.ts";

/**
 * A server of nothing but a browser host: opens two browsers, says so, and waits for its end. Arguments: how cells are
 * kept apart, their folder, and optionally the user to become.
 */
const [place, root = "", user] = process.argv.slice(2);

if (user !== undefined) {
  process.setgroups?.([]);
  process.setgid?.(Number(user));
  process.setuid?.(Number(user));
}
const host = await openRealHost(place as Place, root, new FakeEgress());
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
// Browsers do not keep a server alive by themselves; this does.
setInterval(() => {}, 60_000);
