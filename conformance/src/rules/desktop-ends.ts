import { START, STOP, schema } from "../registry/places.ts";
import type { StoryRule } from "../registry/rule.ts";
import { expectSuccess, expectThat } from "../run/expect.ts";
import type { Viewer } from "../target/rfb.ts";
import { type Access, CUT_MS, enter, expectNoEntry, start, visit } from "./desktop-access.ts";

const GRAPHICAL = { Headless: false };

/** What is left of a desktop once it has been stopped, or its browser closed. */
export const DESKTOP_END_RULES: readonly StoryRule[] = [
  {
    kind: "story",
    id: "RBS-DESKTOP-06",
    level: "decision",
    capability: "desktop",
    at: `${START}/description`,
    sentence: "Both are new at every start, and no two desktops have the same.",
    opens: 0,
    async check({ main, borrow }) {
      await using lent = await borrow();
      const { address } = lent;
      const old = await start(main, address);
      expectSuccess(await main.stopDesktop(address));
      const { rfbUrl, password, viewPassword } = await start(main, address);
      const isNew = ![password, viewPassword].some((each) => [old.password, old.viewPassword].includes(each));
      expectThat(isNew, "new passwords at the second start", "one of the first start's");
      for (const each of [old.password, old.viewPassword]) {
        await expectNoEntry(rfbUrl, each, "the passwords of an earlier start to be refused");
      }
      await using _ = await enter(rfbUrl, password, "`password` of the second start");
    },
  },
  {
    kind: "story",
    id: "RBS-DESKTOP-07",
    level: "decision",
    capability: "desktop",
    at: `${STOP}/description`,
    sentence: "Its viewers are disconnected and both passwords stop working",
    opens: 0,
    async check({ main, borrow }) {
      await using lent = await borrow();
      const { address } = lent;
      await using viewers = await enterBoth(await start(main, address));
      expectSuccess(await main.stopDesktop(address));
      await viewers.expectCut("Stop");
    },
  },
  {
    kind: "story",
    id: "RBS-DESKTOP-12",
    level: "decision",
    capability: "desktop",
    at: `${START}/description`,
    sentence: "A desktop stops when its browser closes, and its viewers are disconnected.",
    opens: 1,
    async check({ main }) {
      const address = await main.opened(GRAPHICAL);
      const access = await start(main, address);
      await using viewers = await enterBoth(access);
      expectSuccess(await main.close(address));
      await viewers.expectCut("Close");
      await expectNoEntry(access.rfbUrl, access.password, "rfbUrl to let nobody in once the browser is closed");
    },
  },
  {
    kind: "story",
    id: "RBS-DESKTOP-14",
    level: "decision",
    capability: "desktop",
    at: schema("StartRemoteDesktopResult", "rfbUrl"),
    sentence: "Nobody gets in with any other, or once the desktop has stopped.",
    opens: 0,
    async check({ main, borrow }) {
      await using lent = await borrow();
      const { address } = lent;
      const access = await start(main, address);
      const { rfbUrl, password, viewPassword } = access;
      await visit(access);
      expectSuccess(await main.stopDesktop(address));
      for (const each of [password, viewPassword]) {
        await expectNoEntry(rfbUrl, each, "rfbUrl to let nobody in after Stop");
      }
    },
  },
];

type Both = AsyncDisposable & { expectCut(by: string): Promise<void> };

/** A viewer that may use the desktop, and one that may watch. */
async function enterBoth({ rfbUrl, password, viewPassword }: Access): Promise<Both> {
  await using entered = new AsyncDisposableStack();
  const viewers: Viewer[] = [];
  viewers.push(entered.use(await enter(rfbUrl, password, "`password`")));
  viewers.push(entered.use(await enter(rfbUrl, viewPassword, "`viewPassword`")));
  const held = entered.move();
  return {
    async expectCut(by) {
      const ends = await Promise.all(viewers.map((viewer) => viewer.closing(CUT_MS)));
      const isCut = ends.every((end) => end !== undefined);
      expectThat(isCut, `viewers to be disconnected within ${CUT_MS / 1000} s of ${by}`, "one that still is connected");
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
