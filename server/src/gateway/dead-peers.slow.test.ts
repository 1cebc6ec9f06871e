import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openCutOffNetwork } from "../../test/support/gateway/cut-off-network.ts";
import { type FakeDevtools, openFakeDevtools } from "../../test/support/gateway/fake-devtools.ts";
import { countedTarget, openGatewayRig } from "../../test/support/gateway/gateway-rig.ts";

const CLIENT = fileURLToPath(new URL("../../test/support/gateway/silent-client.ts", import.meta.url));

/** A browser that keeps sending bytes to its clients. */
function devtoolsThatSends(bytes: number, everyMs: number): Promise<FakeDevtools> {
  return openFakeDevtools((client) => {
    const timer = setInterval(() => {
      if (client.bufferedAmount < 1_000_000) client.send("x".repeat(bytes));
    }, everyMs);
    client.once("close", () => clearInterval(timer));
  });
}

// A single test, so that the waiting times overlap.
test.runIf(process.getuid?.() === 0)(
  "clients that lose their network are removed: idle clients within 30 s, and clients with waiting bytes after 120 s",
  { timeout: 180_000 },
  async () => {
    const number = process.pid % 256;
    await using acquired = new AsyncDisposableStack();
    const network = acquired.use(await openCutOffNetwork(number));
    const quiet = countedTarget(acquired.use(await openFakeDevtools(() => {})));
    const trickling = countedTarget(acquired.use(await devtoolsThatSends(100, 1000)));
    const flooding = countedTarget(acquired.use(await devtoolsThatSends(500_000, 20)));
    const all = { quiet, trickling, flooding };
    const rig = acquired.use(await openGatewayRig(quiet, { host: "::" }));
    for (const [id, target] of Object.entries(all)) rig.browsers.set(id, target);

    const near = await Promise.all(Object.keys(all).map((id) => rig.openClient(`/devtools/browser/${id}`)));
    for (const id of Object.keys(all)) {
      await network.start(CLIENT, `ws://${network.host}:${rig.port}/devtools/browser/${id}`);
    }
    await network.cut();
    const cutAt = performance.now();
    const secondsUntilLeft = async (target: typeof quiet): Promise<number> => {
      await target.left(1);
      return (performance.now() - cutAt) / 1000;
    };
    const [quietS, tricklingS, floodingS] = await Promise.all([quiet, trickling, flooding].map(secondsUntilLeft));

    expect(quietS).toBeLessThanOrEqual(30);
    for (const waitingS of [tricklingS, floodingS]) {
      expect(waitingS).toBeGreaterThanOrEqual(100);
      expect(waitingS).toBeLessThanOrEqual(140);
    }
    // Clients with a working network stay connected, including the idle client.
    expect(near.map((client) => client.readyState)).toEqual([1, 1, 1]);
    expect([quiet, trickling, flooding].map((target) => [target.clients.size, target.leaves])).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    await acquired.disposeAsync();
    expect(rig.gateway.clients).toBe(0);
    expect(execFileSync("ip", ["netns", "list"], { encoding: "utf8" })).not.toContain(`gateway-${number}`);
  },
);
