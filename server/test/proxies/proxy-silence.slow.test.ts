import { expect, test } from "vitest";
import { openTcp } from "../support/proxies/egress-rig.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { loadPage, withBrowser } from "../support/proxies/proxied-browser.ts";
import { startServer } from "../support/servers/real-server.ts";

test("a proxy that never responds doesn't delay Open, and pages receive a proxy error after a time limit", async () => {
  await using server = await startServer({ settings: { RBS_EGRESS: "any" } });
  await using silent = await openTcp((socket) => socket.resume());
  await Promise.all(
    ["http", "https", "socks5"].map(async (scheme) => {
      const startedAt = performance.now();
      const Proxy = { Host: `${scheme}://127.0.0.1`, Port: String(silent.port) };
      await withBrowser(server, { Proxy }, async (newPage) => {
        expect(performance.now() - startedAt).toBeLessThan(15_000);
        const [page, securePage] = [await newPage(), await newPage()];
        const [plain, secure] = await Promise.all([
          loadPage(page, "http://127.0.0.1/"),
          loadPage(securePage, "https://127.0.0.1/"),
        ]);
        expect(plain).toEqual({ status: 504, text: expect.stringContaining("did not answer in time") });
        expect(secure.text).toContain("net::ERR_TUNNEL_CONNECTION_FAILED");
      });
    }),
  );
  await expectNothingHeld(server);
});
