import type { OpenBrowser } from "../../../../server/test/interface.ts";
import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { onAnswer } from "../../faults/alter.ts";
import { onSession, onSessions } from "../../faults/shown.ts";
import { onBrowsers } from "../../faults/use-cases.ts";

/** Keeps listing closed browsers for `forMs`. */
function listsEnded(isListed: (reason: string) => boolean, forMs: number): Fault {
  const ended = new Map<OpenBrowser, number>();
  return onBrowsers((browsers) => ({
    async openNew(...call) {
      const browser = await browsers.openNew(...call);
      void browser.ended.then(({ reason }) => isListed(reason) && ended.set(browser, Date.now()));
      return browser;
    },
    list: (account) => [
      ...[...ended]
        .filter(([browser, at]) => browser.accountId === account.id && Date.now() - at < forMs)
        .map(([browser]) => browser),
      ...browsers.list(account),
    ],
  }));
}

/** Faults in the choice and the members of the browsers that Get lists. */
export const LIST_MUTANTS: readonly Mutant[] = [
  mutant("list-late", ["RBS-LIST-01"], "A new browser isn't listed until two seconds after Open", () =>
    onBrowsers((browsers) => ({
      list: (account) => browsers.list(account).filter(({ openedAt }) => Date.now() - openedAt.getTime() > 2000),
    })),
  ),
  mutant("list-closed-stays", ["RBS-CLOSE-01"], "A closed browser is listed for two more seconds", () =>
    listsEnded((reason) => reason.endsWith("requested"), 2000),
  ),
  mutant("list-exited-stays", ["RBS-CONNECT-03"], "A browser closed with Browser.close remains listed", () =>
    listsEnded((reason) => reason.endsWith("exited"), Infinity),
  ),
  mutant("list-inactive-stays", ["RBS-IDLE-11"], "A browser that closed for inactivity remains listed", () =>
    listsEnded((reason) => reason.endsWith("inactive"), Infinity),
  ),
  mutant("list-twice", ["RBS-LIST-08"], "Each browser is listed twice", () =>
    onSessions((sessions) => sessions.flatMap((session) => [session, session])),
  ),
  mutant("list-latest-only", ["RBS-LIST-08"], "Only the newest browser is listed", () =>
    onSessions((sessions) => sessions.slice(-1)),
  ),
  mutant("list-newest-first", ["RBS-LIST-04"], "The newest browser is listed first", () =>
    onSessions((sessions) => sessions.toReversed()),
  ),
  mutant("list-with-desktop-only", ["RBS-LIST-01"], "Only browsers with a started desktop are listed", () =>
    onSessions((sessions) => sessions.filter(({ vncpass }) => vncpass !== null)),
  ),
  mutant("list-status", ["RBS-LIST-07"], "The list has a status member", () =>
    onAnswer("getBrowsers", ({ status, body }) => (status === 200 ? { body: { status, ...body } } : {})),
  ),
  mutant("list-empty-404", ["RBS-SUB-02"], "Get returns 404 if no browsers are open", () =>
    onAnswer("getBrowsers", ({ status, body }) =>
      status === 200 && (body["sessions"] as unknown[]).length === 0
        ? { status: 404, body: { status: 404, name: "NotFound", message: "There are none.", requestId: "none" } }
        : {},
    ),
  ),
  mutant("list-label-missing", ["RBS-LIST-03", "RBS-ANSWER-02"], "A browser without a label has no label member", () =>
    onSession(({ label, ...others }) => (label === null ? others : { label, ...others })),
  ),
  mutant("list-label-empty", ["RBS-LIST-03"], "A browser without a label is listed with an empty label", () =>
    onSession((session) => ({ ...session, label: session.label ?? "" })),
  ),
  mutant("list-label-swapped", ["RBS-LIST-03"], "Each browser is listed with another browser's label", () =>
    onSessions((sessions) =>
      sessions.map((session, index) => ({ ...session, label: sessions.at(index - 1)?.label ?? null })),
    ),
  ),
  mutant("list-label-lost", ["RBS-MODEL-03"], "Start removes the browser's label", () =>
    onSession((session) => (session.vncpass === null ? session : { ...session, label: null })),
  ),
  mutant("list-address-changes", ["RBS-LIST-01", "RBS-LIST-05"], "Every Get response lists a different address", () => {
    let asked = 0;
    return onSession((session) => {
      asked = (asked % 250) + 1;
      return { ...session, address: session.address.replace("127.0.0.1", `127.0.0.${asked}`) };
    });
  }),
];
