import type { OpenBrowser } from "../../../server/test/interface.ts";
import type { Fault, Mutant } from "../mutant.ts";
import { onAnswer } from "./alter.ts";
import { onBrowsers } from "./use-cases.ts";

export type ListedSession = { startedOn: unknown; label: unknown; address: string; vncpass: unknown };

/** A fault in the list of sessions. */
export function onSessions(alter: (sessions: readonly ListedSession[]) => unknown): Fault {
  return onAnswer("getBrowsers", ({ status, body }) =>
    status === 200 ? { body: { ...body, sessions: alter(body["sessions"] as ListedSession[]) } } : {},
  );
}

export function onSession(alter: (session: ListedSession) => object): Fault {
  return onSessions((sessions) => sessions.map(alter));
}

/** Keeps listing browsers for some time after they closed. */
function listsEnded(matchesId: (reason: string) => boolean, forMs: number): Fault {
  const ended = new Map<OpenBrowser, number>();
  return onBrowsers((browsers) => ({
    async openNew(...call) {
      const browser = await browsers.openNew(...call);
      void browser.ended.then(({ reason }) => matchesId(reason) && ended.set(browser, Date.now()));
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

/** Which browsers Get lists, and their members. */
export const LIST_MUTANTS: readonly Mutant[] = [
  {
    id: "list-late",
    title: "A browser is listed only two seconds after Open",
    killedBy: ["RBS-LIST-01"],
    fault: () =>
      onBrowsers((browsers) => ({
        list: (account) => browsers.list(account).filter(({ openedAt }) => Date.now() - openedAt.getTime() > 2000),
      })),
  },
  {
    id: "list-closed-stays",
    title: "A closed browser is listed for two more seconds",
    killedBy: ["RBS-CLOSE-01"],
    fault: () => listsEnded((reason) => reason.endsWith("requested"), 2000),
  },
  {
    id: "list-exited-stays",
    title: "A browser that was closed with Browser.close stays listed",
    killedBy: ["RBS-CONNECT-03"],
    fault: () => listsEnded((reason) => reason.endsWith("exited"), Infinity),
  },
  {
    id: "list-inactive-stays",
    title: "A browser that closed for inactivity stays listed",
    killedBy: ["RBS-IDLE-11"],
    fault: () => listsEnded((reason) => reason.endsWith("inactive"), Infinity),
  },
  {
    id: "list-twice",
    title: "Each browser is listed twice",
    killedBy: ["RBS-LIST-08"],
    fault: () => onSessions((sessions) => sessions.flatMap((session) => [session, session])),
  },
  {
    id: "list-latest-only",
    title: "Only the latest of several browsers is listed",
    killedBy: ["RBS-LIST-08"],
    fault: () => onSessions((sessions) => sessions.slice(-1)),
  },
  {
    id: "list-newest-first",
    title: "The latest browser is listed first",
    killedBy: ["RBS-LIST-04"],
    fault: () => onSessions((sessions) => sessions.toReversed()),
  },
  {
    id: "list-with-desktop-only",
    title: "Only browsers whose desktop is started are listed",
    killedBy: ["RBS-LIST-01"],
    fault: () => onSessions((sessions) => sessions.filter(({ vncpass }) => vncpass !== null)),
  },
  {
    id: "list-status",
    title: "The list has a member status",
    killedBy: ["RBS-LIST-07"],
    fault: () => onAnswer("getBrowsers", ({ status, body }) => (status === 200 ? { body: { status, ...body } } : {})),
  },
  {
    id: "list-empty-404",
    title: "An empty list answers 404",
    killedBy: ["RBS-SUB-02"],
    fault: () =>
      onAnswer("getBrowsers", ({ status, body }) =>
        status === 200 && (body["sessions"] as unknown[]).length === 0
          ? { status: 404, body: { status: 404, name: "NotFound", message: "There are none.", requestId: "none" } }
          : {},
      ),
  },
  {
    id: "list-label-missing",
    title: "A browser without a label is listed without the member label",
    killedBy: ["RBS-LIST-03", "RBS-ANSWER-02"],
    fault: () => onSession(({ label, ...others }) => (label === null ? others : { label, ...others })),
  },
  {
    id: "list-label-empty",
    title: "A browser without a label is listed with an empty label",
    killedBy: ["RBS-LIST-03"],
    fault: () => onSession((session) => ({ ...session, label: session.label ?? "" })),
  },
  {
    id: "list-label-swapped",
    title: "With several browsers, each is listed with the label of another one",
    killedBy: ["RBS-LIST-03"],
    fault: () =>
      onSessions((sessions) =>
        sessions.map((session, index) => ({ ...session, label: sessions.at(index - 1)?.label ?? null })),
      ),
  },
  {
    id: "list-label-lost",
    title: "Start removes the label",
    killedBy: ["RBS-MODEL-01"],
    fault: () => onSession((session) => (session.vncpass === null ? session : { ...session, label: null })),
  },
  {
    id: "list-address-changes",
    title: "Every Get lists a different address",
    killedBy: ["RBS-LIST-01", "RBS-LIST-05"],
    fault: () => {
      let asked = 0;
      return onSession((session) => {
        asked = (asked % 250) + 1;
        return { ...session, address: session.address.replace("127.0.0.1", `127.0.0.${asked}`) };
      });
    },
  },
];
