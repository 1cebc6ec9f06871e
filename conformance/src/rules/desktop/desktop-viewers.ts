import { schema, START } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { expectThat } from "../../session/expect.ts";
import { toNoAnswer } from "../../target/no-answer.ts";
import {
  connectBriefly,
  expectViewerAdmitted,
  expectViewerRefused,
  sharePassword,
  start,
} from "../../scenario/desktop-access.ts";
import { expectViewOnly } from "../../scenario/view-only.ts";

const PAGE_MS = 20_000;

/** Rules about viewers' access to a desktop. */
export const DESKTOP_VIEWER_RULES = scenarios({ capability: "desktop" }, [
  {
    id: "RBS-DESKTOP-02",
    at: schema("StartRemoteDesktopResult", "rfbUrl"),
    sentence: "It speaks RFB in binary frames and asks for one of the passwords by VNC authentication.",
    async check({ main, shared }) {
      const { rfbUrl, password } = await start(main, await shared("graphical"));
      await using viewer = await expectViewerAdmitted(rfbUrl, password, "`password`");
      const { width, height } = viewer.screen;
      expectThat(width > 0 && height > 0, "a screen with nonzero width and height", `${width} by ${height} pixels`);
    },
  },
  {
    id: "RBS-DESKTOP-03",
    at: schema("StartRemoteDesktopResult", "rfbUrl"),
    sentence: "It refuses any other password, and every password once the desktop has stopped.",
    async check({ main, shared }) {
      const access = await start(main, await shared("graphical"));
      const { rfbUrl, password, viewPassword } = access;
      await connectBriefly(access);
      // Passwords that differ only in the last character, because the server must compare all characters.
      const ending = ["a", "b", "c"].map((last) => password.slice(0, -1) + last);
      const wrong = ["", "wrong-pw", ...ending]
        .filter((each) => each !== password && each !== viewPassword)
        .slice(0, 3);
      const expected = "a wrong password to be rejected at rfbUrl";
      await Promise.all(wrong.map((each) => expectViewerRefused(rfbUrl, each, expected)));
    },
  },
  {
    id: "RBS-DESKTOP-04",
    at: schema("StartRemoteDesktopResult", "viewPassword"),
    sentence: "View-only password, also exactly 8 characters. The server enforces it.",
    async check({ main, leaseBrowser }) {
      await using lease = await leaseBrowser();
      const { address } = lease;
      await expectViewOnly(address, await start(main, address));
    },
  },
  {
    id: "RBS-DESKTOP-11",
    at: schema("StartRemoteDesktopResult", "url"),
    sentence:
      "A web page that shows the desktop. It needs no token, and opening it is enough: the password is in the fragment, the part after `#`, which web browsers do not send to the server.",
    async check({ main, shared }) {
      const { url, password } = await start(main, await shared("graphical"));
      const response = await fetch(url, { signal: AbortSignal.timeout(PAGE_MS) }).catch((error: unknown) => {
        throw toNoAnswer("GET of url", error);
      });
      const html = await response.text();
      const type = response.headers.get("content-type") ?? "no content type";
      const isPage = response.status === 200 && /^(text\/html|application\/xhtml\+xml)\b/i.test(type);
      expectThat(isPage, "url to return 200 and an HTML page without a token", `${response.status} and ${type}`);
      expectThat(!html.includes(password), "the password to appear only in the fragment", "the password in the page");
    },
  },
  {
    id: "RBS-DESKTOP-16",
    at: `${START}/description`,
    sentence: "no two desktops share one",
    async check({ main, shared, leaseBrowser }) {
      const other = await start(main, await shared("graphical"));
      await using lease = await leaseBrowser();
      const own = await start(main, lease.address);
      const seen = "a password that both desktops use";
      expectThat(!sharePassword(own, other), "the desktops of two browsers to have different passwords", seen);
      await connectBriefly(own);
      await expectViewerRefused(own.rfbUrl, other.password, "the password of another browser's desktop to be rejected");
    },
  },
]);
