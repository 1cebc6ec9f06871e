import { schemaErrors } from "../../contract/schemas.ts";
import { schema, START, STOP } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { expectRefusal, expectSuccess, expectThat } from "../../session/expect.ts";
import { expectAnswer } from "../../scenario/connections.ts";
import { connectDevtools } from "../../target/devtools.ts";
import { expectViewerAdmitted, start, toAccess } from "../../scenario/desktop-access.ts";

const RESULTS = ["password", "viewPassword", "url", "rfbUrl"];
const AT_ONCE = 4;
const SOON_MS = 1000;

/** Rules about the responses to Start and Stop, and about what both operations leave unchanged. */
export const DESKTOP_RULES = scenarios({ capability: "desktop" }, [
  {
    id: "RBS-DESKTOP-01",
    at: `${START}/description`,
    sentence:
      "Starts a remote desktop on a browser and returns two URLs for it: `url`, a web page that shows the desktop, and `rfbUrl`, a WebSocket for VNC viewers.",
    covers: ["startRemoteDesktop 200", ...RESULTS.map((member) => `StartRemoteDesktopResult.${member}`)],
    async check({ main, shared }) {
      const answer = await main.startDesktop(await shared("graphical"));
      const body = expectSuccess(answer);
      const wrong = schemaErrors("#/components/schemas/StartRemoteDesktopResult", body);
      expectThat(wrong.length === 0, "a response that matches the contract's schema", wrong.join("; "));
      const { password, viewPassword, url } = toAccess(body);
      expectThat(password !== viewPassword, "two different passwords", "the same password twice");
      const { hash } = new URL(url);
      const isInside = hash === `#${password}` || hash === `#${encodeURIComponent(password)}`;
      expectThat(isInside, "url to end with # and the password", hash === "" ? "no fragment" : "a different fragment");
      const isOutside = url.replace(hash, "").includes(password);
      expectThat(!isOutside, "the password to appear only in the fragment", "the password before the #");
    },
  },
  {
    id: "RBS-DESKTOP-05",
    at: `${START}/description`,
    sentence:
      "Starting a desktop that is already started changes nothing and returns the same passwords, so repeating the call is safe.",
    async check({ main, shared }) {
      const address = await shared("graphical");
      const first = await start(main, address);
      await using viewer = await expectViewerAdmitted(first.rfbUrl, first.password, "`password`");
      const second = await start(main, address);
      expectThat(second.password === first.password, "the same password again", "a different one");
      expectThat(second.viewPassword === first.viewPassword, "the same viewPassword again", "a different one");
      const isCut = (await viewer.closing(SOON_MS)) !== undefined;
      expectThat(!isCut, "a connected viewer to remain connected", "a disconnected viewer");
      await using _ = await expectViewerAdmitted(first.rfbUrl, first.password, "`password` after the second Start");
    },
  },
  {
    id: "RBS-DESKTOP-08",
    at: `${STOP}/description`,
    sentence: "Stopping a desktop that is not started changes nothing and returns 200.",
    covers: ["stopRemoteDesktop 200"],
    async check({ main, leaseBrowser }) {
      await using lease = await leaseBrowser();
      const { address } = lease;
      expectSuccess(await main.stopDesktop(address));
      await start(main, address);
      for (const _ of ["started", "stopped"]) expectSuccess(await main.stopDesktop(address));
      const listed = await main.find(address);
      expectThat(listed !== undefined, "the browser to remain open", "a list without the browser");
      expectThat(listed.vncpass === null, "vncpass to be null after Stop", "something else");
    },
  },
  {
    id: "RBS-DESKTOP-09",
    at: `${START}/description`,
    sentence:
      "For one that was opened headless, which includes every ChromeHeadlessShell, the response is 409 `DesktopUnavailable`.",
    covers: ["startRemoteDesktop 409", "stopRemoteDesktop 200"],
    async check({ main, shared }) {
      const address = await shared("headless");
      expectRefusal(await main.startDesktop(address), "DesktopUnavailable");
      expectSuccess(await main.stopDesktop(address));
      expectThat((await main.find(address)) !== undefined, "the browser to remain open", "a list without the browser");
    },
  },
  {
    id: "RBS-DESKTOP-10",
    at: schema("BrowserNotFoundError"),
    sentence: "No open browser of this account has that address.",
    covers: ["startRemoteDesktop 404", "stopRemoteDesktop 404"],
    opens: 1,
    async check({ main }) {
      const address = await main.openBrowser();
      // This Start lets a faulty server remember, even after Close, that the browser has no screen.
      await main.startDesktop(address);
      expectSuccess(await main.close(address));
      expectRefusal(await main.startDesktop(address), "BrowserNotFound");
      expectRefusal(await main.stopDesktop(address), "BrowserNotFound");
    },
  },
  {
    id: "RBS-DESKTOP-13",
    at: `${STOP}/description`,
    sentence: "the browser itself stays open",
    async check({ main, leaseBrowser }) {
      await using lease = await leaseBrowser();
      const { address } = lease;
      await using devtools = await connectDevtools(address);
      await start(main, address);
      expectSuccess(await main.stopDesktop(address));
      const end = await devtools.closing(SOON_MS);
      const seen = `a connection closed with ${end?.code} ${end?.reason}`;
      expectThat(end === undefined, "a DevTools client's connection to remain open after Start and Stop", seen);
      await expectAnswer(devtools);
      expectThat((await main.find(address)) !== undefined, "the browser to remain open", "a list without the browser");
    },
  },
  {
    id: "RBS-DESKTOP-15",
    at: schema("Session", "vncpass"),
    sentence:
      "The password for full control of the browser's remote desktop, the same one that StartRemoteDesktop returned as `password`; `null` while the desktop is stopped.",
    covers: ["Session.vncpass"],
    async check({ main, shared }) {
      const address = await shared("graphical");
      const { password } = await start(main, address);
      const vncpass = (await main.find(address))?.vncpass;
      const seen = typeof vncpass === "string" ? "a different text" : String(vncpass);
      expectThat(vncpass === password, "vncpass to be the password that Start returned", seen);
    },
  },
  {
    id: "RBS-DESKTOP-17",
    at: `${START}/description`,
    sentence: "Concurrent StartRemoteDesktop requests also return the same passwords.",
    async check({ main, leaseBrowser }) {
      await using lease = await leaseBrowser();
      const { address } = lease;
      const [first, ...others] = await Promise.all(Array.from({ length: AT_ONCE }, () => start(main, address)));
      const isSame = others.every(
        ({ password, viewPassword }) => password === first?.password && viewPassword === first.viewPassword,
      );
      expectThat(isSame, `${AT_ONCE} concurrent Start requests to return the same passwords`, "different passwords");
      await using _ = await expectViewerAdmitted(first?.rfbUrl ?? "", first?.password ?? "", "`password`");
    },
  },
]);
