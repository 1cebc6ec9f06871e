import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BASE, heldBy, newRig, NOTHING, type Rig } from "../../../test/support/servers/services-rig.ts";
import type { Account } from "../../domain/account/account.ts";
import type { ViewerPasswords } from "../../domain/browser/desktop.ts";
import type { HostedBrowser } from "../../ports/browser-host.ts";
import type { Screen } from "../../ports/display.ts";
import { Desktops } from "./desktops.ts";
import type { BrowserClient } from "../../ports/browser-client.ts";
import type { OpenBrowser } from "../browsers/open-browser.ts";

/** A screen that records its passwords and fails on demand. */
class KeptScreen implements Screen {
  readonly passwords: (ViewerPasswords | undefined)[] = [];
  failure: Error | undefined;
  /** Called before the passwords are set. */
  meanwhile: () => Promise<void> = async () => {};

  async setPasswords(passwords: ViewerPasswords | undefined): Promise<void> {
    await this.meanwhile();
    if (this.failure !== undefined) throw this.failure;
    this.passwords.push(passwords);
  }

  connect(): Promise<never> {
    return Promise.reject(new Error("This screen accepts no connections."));
  }
}

/** A viewer that records how it was disconnected. */
class Viewer implements BrowserClient {
  readonly ends: [number, string][] = [];
  end(code: number, reason: string): void {
    this.ends.push([code, reason]);
  }
}

let rig: Rig;
let screen: KeptScreen;
let desktops: Desktops;
let account: Account;
let browser: OpenBrowser;
let made: number;

beforeEach(async () => {
  screen = new KeptScreen();
  rig = await newRig({
    host: (fake) => ({
      kinds: fake.kinds,
      async launch(spec, signal): Promise<HostedBrowser> {
        const hosted = await fake.launch(spec, signal);
        if (!spec.isHeadless) Object.defineProperty(hosted, "screen", { value: screen });
        return hosted;
      },
      [Symbol.asyncDispose]: async () => {},
    }),
  });
  made = 0;
  desktops = new Desktops({
    localBrowsers: rig.localBrowsers,
    events: rig.events,
    log: rig.log,
    newKey: () => `key-${(made += 1)}`,
    newPasswords: () => ({ full: `full000${made}`, viewOnly: `view000${made}` }),
  });
  account = await rig.account();
  browser = await rig.open(account, { isHeadless: false });
});

afterEach(async () => {
  await Promise.all(rig.localBrowsers.list(account).map((one) => one.close("requested")));
  await expectNothingLeft();
  await rig[Symbol.asyncDispose]();
});

async function expectNothingLeft(): Promise<void> {
  expect(await heldBy(rig, account)).toEqual(NOTHING);
  expect([desktops.count, desktops.viewers]).toEqual([0, 0]);
  expect(["key-1", "key-2"].map((key) => desktops.findByKey(key))).toEqual([undefined, undefined]);
}

const start = () => desktops.start(account, { address: browser.address }, BASE);
const stop = () => desktops.stop(account, { address: browser.address });

describe("Start", () => {
  test("sets new passwords and returns them with the URLs", async () => {
    const access = await start();
    expect(access).toEqual({
      passwords: { full: "full0000", viewOnly: "view0000" },
      url: "http://127.0.0.1:8080/desktop/key-1#full0000",
      rfbUrl: "ws://127.0.0.1:8080/desktop/key-1/rfb",
    });
    expect(screen.passwords).toEqual([access.passwords]);
    expect(desktops.passwordOf(browser)).toBe("full0000");
    expect(desktops.findByKey("key-1")).toBeDefined();
  });

  test("changes nothing for a started desktop, even for concurrent Start requests", async () => {
    const [first, second] = await Promise.all([start(), start()]);
    expect(second).toBe(first);
    expect(await start()).toBe(first);
    expect(screen.passwords).toHaveLength(1);
  });

  test("returns new passwords and new URLs after a Stop", async () => {
    const first = await start();
    await stop();
    const second = await start();
    expect(second.passwords).not.toEqual(first.passwords);
    expect(second.rfbUrl).not.toBe(first.rfbUrl);
  });

  test("is refused for a browser without a screen", async () => {
    const headless = await rig.open(account);
    await expect(desktops.start(account, { address: headless.address }, BASE)).rejects.toMatchObject({
      failure: "DesktopUnavailable",
      message: expect.stringContaining("Headless"),
    });
    expect(await desktops.stop(account, { address: headless.address })).toBeUndefined();
  });

  test("doesn't find closed browsers or other accounts' browsers, and neither does Stop", async () => {
    const other = await rig.account();
    for (const [who, address] of [
      [other, browser.address],
      [account, "ws://127.0.0.1/devtools/browser/unknown"],
    ] as const) {
      await expect(desktops.start(who, { address }, BASE)).rejects.toMatchObject({ failure: "BrowserNotFound" });
      await expect(desktops.stop(who, { address })).rejects.toMatchObject({ failure: "BrowserNotFound" });
    }
    await browser.close("requested");
    await expect(start()).rejects.toMatchObject({ failure: "BrowserNotFound" });
  });

  test.each([
    ["before its screen responds", undefined],
    ["and its screen fails", new Error("The file is closed.")],
  ])("starts no desktop if the browser closes %s", async (_name, failure) => {
    screen.meanwhile = () => browser.close("requested");
    screen.failure = failure;
    await expect(start()).rejects.toMatchObject({ failure: "BrowserNotFound" });
  });

  test("reports the screen's error, starts no desktop, and can be retried", async () => {
    screen.failure = new Error("The disk is full.");
    await expect(start()).rejects.toBe(screen.failure);
    expect(desktops.passwordOf(browser)).toBeUndefined();
    screen.failure = undefined;
    expect((await start()).rfbUrl).toContain("key-1");
  });
});

describe("viewers", () => {
  test("are disconnected when the desktop stops, while the browser remains open", async () => {
    await start();
    const desktop = desktops.findByKey("key-1");
    const [viewer, unauthenticated] = [new Viewer(), new Viewer()];
    desktop?.admitViewer(viewer).authenticated();
    desktop?.admitViewer(unauthenticated);
    expect(desktops.viewers).toBe(1);
    await stop();
    expect([viewer.ends, unauthenticated.ends]).toEqual([[[1000, "desktop stopped"]], [[1000, "desktop stopped"]]]);
    expect(screen.passwords.at(-1)).toBeUndefined();
    expect(desktops.passwordOf(browser)).toBeUndefined();
    expect(rig.localBrowsers.list(account)).toEqual([browser]);
  });

  test("are disconnected with the browser's end reason", async () => {
    await start();
    const [viewer, unauthenticated] = [new Viewer(), new Viewer()];
    desktops.findByKey("key-1")?.admitViewer(viewer).authenticated();
    desktops.findByKey("key-1")?.admitViewer(unauthenticated);
    await browser.close("crashed");
    expect(viewer.ends[0]).toEqual([1011, "browser closed: crashed"]);
    expect(unauthenticated.ends).toEqual([[1011, "browser closed: crashed"]]);
  });

  test("keep the browser open from authentication until they disconnect", async () => {
    await start();
    const session = desktops.findByKey("key-1")?.admitViewer(new Viewer());
    await rig.clock.pass(20_000);
    session?.authenticated();
    session?.authenticated();
    await rig.clock.pass(60_000);
    expect(rig.localBrowsers.list(account)).toEqual([browser]);
    session?.leave();
    session?.leave();
    await rig.clock.pass(29_000);
    expect(rig.localBrowsers.list(account)).toEqual([browser]);
    await rig.clock.pass(1_000);
    expect(rig.localBrowsers.list(account)).toEqual([]);
  });

  test("don't keep the browser open unless they authenticate", async () => {
    await start();
    const unauthenticated = new Viewer();
    desktops.findByKey("key-1")?.admitViewer(unauthenticated);
    await rig.clock.pass(30_000);
    expect(unauthenticated.ends).toEqual([[1000, "browser closed: inactive"]]);
  });

  test("are disconnected immediately if the desktop has just stopped", async () => {
    await start();
    const desktop = desktops.findByKey("key-1");
    await stop();
    const late = new Viewer();
    const session = desktop?.admitViewer(late);
    session?.authenticated();
    session?.leave();
    expect(late.ends).toEqual([[1000, "desktop stopped"]]);
  });
});
