import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BrowserRig, openBrowserRig } from "../../../test/support/browsers/browser-rig.ts";
import {
  type DevtoolsClient,
  type Evaluate,
  attachToPage,
  pagesOf,
} from "../../../test/support/browsers/devtools-client.ts";
import { NEVER, ISOLATIONS, drive } from "../../../test/support/browsers/real-host.ts";
import { type RfbClient, openRfb } from "../../../test/support/desktop/rfb-client.ts";
import { until } from "../../../test/support/until.ts";
import type { HostedBrowser } from "../../ports/browser-host.ts";

const PASSWORDS = { full: "k7Rw2xQp", viewOnly: "m3Tz9bVc" };
const ESCAPE = 0xff1b;
const [RED, BLUE] = ["ff0000", "0000ff"];
/** Offsets from a pop-up's top edge to the middle of its title bar, and from its right edge to the close button. */
const TITLE_BAR = -10;
const CLOSE_BUTTON = -9;

/** Bounds, as seen by pages, of a window that fills the screen and of a window that a client has placed. */
const [FULL, SET] = ["0,0,1920,1080", "100,50,800,600"];

let rig: BrowserRig;
let browser: HostedBrowser;
let client: DevtoolsClient;
let viewer: RfbClient;
/** The browser's initial page, which fills the screen until a test moves its window. */
let main: Evaluate;
let mainId: string;

describe.each(ISOLATIONS)("on a screen with isolation %s,", (isolation) => {
  // All tests share a browser, because a graphical browser takes long to start. They close the windows that they open.
  beforeAll(async () => {
    rig = await openBrowserRig(isolation);
    browser = await rig.open({ isHeadless: false });
    await browser.screen?.setPasswords(PASSWORDS);
    const socket = await browser.screen?.connect(NEVER);
    if (socket === undefined) throw new Error("The graphical browser has no screen.");
    viewer = await openRfb(socket, PASSWORDS.full);
    client = await drive(browser);
    [mainId = ""] = await pages();
    main = await attach(mainId);
    await main(`document.body.style.background = "#${RED}"`);
  });

  afterAll(async () => {
    viewer[Symbol.dispose]();
    await client[Symbol.asyncDispose]();
    await browser[Symbol.asyncDispose]();
    await rig.expectNothingHeld();
    await rig[Symbol.asyncDispose]();
  });

  test("the main window fills the screen", async () => {
    expect(await untilSeen(main, FULL)).toBe(FULL);
  });

  test("a pop-up has the requested position and size, and can be moved by its frame and closed with its button", async () => {
    const popUp = await openPopUp();
    const { x, y, width } = await placeOf(popUp);
    expect(await popUp("[innerWidth, screenX].join()")).toBe("400,600");
    await untilColour(x + 20, y + 200, BLUE);

    await viewer.drag([x + 100, y + TITLE_BAR], [x - 100, y + 100 + TITLE_BAR]);
    await untilColour(x - 180, y + 300, BLUE);
    const moved = await placeOf(popUp);
    expect([moved.x - x, moved.y - y]).toEqual([-200, 100]);

    viewer.click(moved.x + width + CLOSE_BUTTON, moved.y + TITLE_BAR);
    await until(pages, ({ length }) => length === 1);
  });

  test("a new window has the focus, and a clicked window is focused and raised", async () => {
    await main("document.body.innerHTML = \"<input style='margin: 300px 0 0 50px'>\"");
    const popUp = await openPopUp();
    await popUp('document.body.innerHTML = "<input autofocus>"; document.querySelector("input").focus()');
    // A window receives the focus shortly after it appears.
    const isTypedInto = (page: Evaluate) =>
      until(async () => {
        viewer.type("x");
        return page("document.querySelector('input').value");
      }, Boolean);
    const { x, y } = await placeOf(popUp);
    await isTypedInto(popUp);

    await untilColour(x + 20, y + 200, RED, true, clickIntoMain);
    await isTypedInto(main);
    expect(await popUp("document.hasFocus()")).toBe(false);
    await closePage((await pages()).find((id) => id !== mainId) ?? "");
  });

  test("a browser dialog has focus and covers the page", async () => {
    await main("document.body.innerHTML = \"<input type=file style='margin: 300px 0 0 50px'>\"");
    await untilColour(960, 600, RED);
    await untilColour(960, 600, RED, false, clickIntoMain);
    await untilColour(960, 600, RED, true, () => viewer.press(ESCAPE));
    expect(await main("document.querySelector('input').files.length")).toBe(0);
  });

  test("the first bounds that a client sets for a main window apply, and the next window fills the screen again", async () => {
    const bounds = { left: 100, top: 50, width: 800, height: 600 };
    await setBounds(mainId, bounds);
    expect(await untilSeen(main, SET)).toBe(SET);

    const { targetId } = await client.command("Target.createTarget", { url: "about:blank", newWindow: true });
    const next = await attach(String(targetId));
    expect(await untilSeen(next, FULL)).toBe(FULL);
    await setBounds(String(targetId), bounds);
    expect(await untilSeen(next, SET)).toBe(SET);
    await closePage(String(targetId));
  });

  test("the screen keeps working after the window manager is killed", async () => {
    const openbox = rig.processes().find(({ line }) => line.startsWith("openbox "));
    if (openbox === undefined) throw new Error("No window manager is running.");
    process.kill(openbox.pid, "SIGKILL");
    await until(
      () => rig.processes(),
      (all) => all.every(({ pid }) => pid !== openbox.pid),
    );
    await untilColour(400, 500, RED);
    expect(await main("document.visibilityState")).toBe("visible");
  });
});

async function pages(): Promise<string[]> {
  return (await pagesOf(client)).map(({ targetId }) => targetId);
}

async function attach(targetId: string): Promise<Evaluate> {
  return (await attachToPage(client, targetId, { userGesture: true })).evaluate;
}

async function closePage(targetId: string): Promise<void> {
  await client.command("Target.closeTarget", { targetId });
  await until(pages, (all) => !all.includes(targetId));
}

async function setBounds(targetId: string, bounds: object): Promise<void> {
  const { windowId } = await client.command("Browser.getWindowForTarget", { targetId });
  await client.command("Browser.setWindowBounds", { windowId, bounds });
}

/** Waits until a page reports this position and size for its window. */
function untilSeen(page: Evaluate, bounds: string): Promise<unknown> {
  return until(
    () => page("[screenX, screenY, outerWidth, outerHeight].join()"),
    (seen) => seen === bounds,
  );
}

async function openPopUp(): Promise<Evaluate> {
  const before = await pages();
  await main('void open("about:blank", "", "left=600,top=200,width=400,height=300")');
  const after = await until(pages, ({ length }) => length > before.length);
  const popUp = await attach(after.find((id) => !before.includes(id)) ?? "");
  await popUp(`document.body.style.background = "#${BLUE}"`);
  return popUp;
}

type WindowPlace = { readonly x: number; readonly y: number; readonly width: number; readonly page: number };

/** Returns a window's position and width without its frame, and the y position of its page on the screen. */
async function placeOf(page: Evaluate): Promise<WindowPlace> {
  const place = "{ x: screenX, y: screenY, width: outerWidth, page: screenY + outerHeight - innerHeight }";
  return JSON.parse(String(await page(`JSON.stringify(${place})`))) as WindowPlace;
}

/** Clicks the input field of the main page. Info bars shift the page temporarily, so one click may miss. */
async function clickIntoMain(): Promise<void> {
  const { x, page } = await placeOf(main);
  viewer.click(x + 80, page + 318);
}

/** @param act Called before each capture of the screen. */
async function untilColour(
  x: number,
  y: number,
  colour: string,
  isWanted = true,
  act: () => unknown = () => {},
): Promise<void> {
  await until(
    async () => {
      await act();
      return (await viewer.capture()).at(x, y);
    },
    (seen) => (seen === colour) === isWanted,
  );
}
