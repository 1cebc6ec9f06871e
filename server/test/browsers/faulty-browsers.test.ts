import { getuid } from "node:process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { send } from "../support/servers/call.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { type Home, openHome } from "../support/servers/home.ts";
import { type RealServer, readLog, startServer } from "../support/servers/real-server.ts";

const CHROMIUM = "/usr/lib/chromium/chromium";

// Only root can replace a program for a single server.
describe.skipIf(getuid?.() !== 0)("an Open request for a browser", () => {
  let home: Home;
  let server: RealServer | undefined;

  beforeEach(async () => {
    home = await openHome();
  });

  afterEach(async () => {
    await server?.[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });

  function startWith(replacedFiles: Readonly<Record<string, string>>): Promise<RealServer> {
    return startServer({ replacedFiles }, home);
  }

  test("whose program exits immediately returns 503 and releases all resources", async () => {
    // `ls` exits because it doesn't know Chromium's arguments. A script couldn't run, because a browser's sandbox has
    // no shell.
    server = await startWith({ [CHROMIUM]: "/usr/bin/ls" });
    expect(server.output.stdout).toMatch(/^Browsers can't be opened: Chromium \(2\) did not start/m);
    expect(server.output.stdout).toMatch(/^Listening on /m);
    const ready = await send(new URL("/readyz", server.url), "GET");
    expect(ready).toMatchObject({ status: 503, body: { status: "broken", message: expect.any(String) } });
    expect(await send(new URL("/healthz", server.url), "GET")).toMatchObject({ status: 200 });

    for (const options of [{}, { Headless: true }]) {
      const answer = await server.post("Open", options);
      expect(answer).toMatchObject({ status: 503, body: { name: "BrowserUnavailable" } });
      expect(answer.headers.get("retry-after")).toBeNull();
    }
    expect(JSON.stringify(readLog(server, "request.failed"))).toMatch(/exited with 2.*unrecognized option/s);
    await expectNothingHeld(server);
    expect(await server.addresses()).toEqual([]);
    expect(await home.report("operator@localhost")).toMatchObject({ openBrowsers: 0, unitsUsed: 0 });
    // Other kinds of browsers still work.
    await server.close(await server.open({ Browser: 3 }));
    await expectNothingHeld(server);
  });

  test("whose sandbox can't be created returns 503 and releases all resources", async () => {
    server = await startWith({ "/usr/bin/bwrap": "/usr/bin/false" });
    const ready = await send(new URL("/readyz", server.url), "GET");
    expect(ready).toMatchObject({ status: 503, body: { status: "broken" } });
    for (const options of [{}, { Headless: true }]) {
      expect(await server.post("Open", options)).toMatchObject({
        status: 503,
        body: { name: "BrowserUnavailable" },
      });
    }
    await expectNothingHeld(server);
  });
});
