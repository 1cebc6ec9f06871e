import type { Mutant } from "../mutant.ts";
import { onAnswer } from "./alter.ts";
import { onInfo, onRecord, type Shown } from "./shown.ts";

const isClosed = ({ state }: Shown): boolean => state === "closed";

/** A fault in what Info, Update and the history show of browsers that have ended. */
function onEnded(alter: (record: Shown) => Shown): ReturnType<Mutant["fault"]> {
  return onRecord((record) => (isClosed(record) ? { ...record, ...alter(record) } : record));
}

/** What Info shows. */
export const INFO_MUTANTS: readonly Mutant[] = [
  {
    id: "info-state",
    title: "The state of an open browser is running",
    killedBy: ["RBS-INFO-01"],
    fault: () => onRecord((record) => (isClosed(record) ? record : { ...record, state: "running" })),
  },
  {
    id: "info-without-label",
    title: "Info shows no labels",
    killedBy: ["RBS-INFO-01"],
    fault: () => onInfo((record) => ({ ...record, label: null })),
  },
  {
    id: "info-started-differs",
    title: "Info and Get show different times of the opening",
    killedBy: ["RBS-INFO-01"],
    fault: () =>
      onInfo((record) => ({
        ...record,
        startedOn: new Date(Date.parse(String(record["startedOn"])) + 1).toISOString(),
      })),
  },
  {
    id: "info-browser",
    title: "The kind of every browser is shown as Chrome",
    killedBy: ["RBS-INFO-01"],
    fault: () => onInfo((record) => ({ ...record, browser: 0 })),
  },
  {
    id: "info-ended-404",
    title: "Info does not find browsers that have ended",
    killedBy: ["RBS-INFO-02"],
    fault: () =>
      onAnswer("getBrowserInfo", ({ status, body }) =>
        status === 200 && isClosed(body)
          ? { status: 404, body: { status: 404, name: "BrowserNotFound", message: "It has ended.", requestId: "none" } }
          : {},
      ),
  },
  {
    id: "info-ended-by-id-only",
    title: "Info does not find browsers that have ended by their addresses",
    killedBy: ["RBS-INFO-02"],
    fault: () => ({
      services: (services) => {
        const { usage } = services.store;
        const findEnded: typeof usage.findEnded = async (accountId, selector) =>
          "id" in selector ? usage.findEnded(accountId, selector) : undefined;
        return { ...services, store: { ...services.store, usage: { ...usage, findEnded } } };
      },
    }),
  },
  {
    id: "info-address-stays",
    title: "Info shows the address of a browser that has ended",
    killedBy: ["RBS-INFO-02"],
    fault: () => {
      const known = new Map<unknown, unknown>();
      return onInfo((record) => {
        if (record["address"] !== null) known.set(record["id"], record["address"]);
        return { ...record, address: known.get(record["id"]) ?? null };
      });
    },
  },
  {
    id: "info-keep-open-forgotten",
    title: "keepOpen of a browser that has ended is 0",
    killedBy: ["RBS-INFO-02"],
    fault: () => onEnded(() => ({ keepOpen: 0 })),
  },
  {
    id: "info-ended-on-missing",
    title: "endedOn is missing",
    killedBy: ["RBS-INFO-03"],
    fault: () => onEnded(() => ({ endedOn: null })),
  },
  {
    id: "info-ended-on-start",
    title: "endedOn is the time of the opening",
    killedBy: ["RBS-INFO-03"],
    fault: () => onEnded(({ startedOn }) => ({ endedOn: startedOn })),
  },
  {
    id: "info-ended-on-changes",
    title: "endedOn is a little later each time that it is asked",
    killedBy: ["RBS-INFO-03"],
    fault: () => {
      let asked = 0;
      return onEnded(({ endedOn }) => {
        asked += 1;
        return { endedOn: new Date(Date.parse(String(endedOn)) + asked).toISOString() };
      });
    },
  },
  {
    id: "info-reason-words",
    title: "The reason of a closed browser is the whole close reason",
    killedBy: ["RBS-INFO-04", "RBS-INFO-05"],
    fault: () => onEnded(({ reason }) => ({ reason: `browser closed: ${String(reason)}` })),
  },
  {
    id: "info-reason-exited",
    title: "A browser that exited is shown as closed on request",
    killedBy: ["RBS-INFO-04"],
    fault: () => onEnded(({ reason }) => ({ reason: reason === "exited" ? "requested" : reason })),
  },
  {
    id: "info-reason-inactive",
    title: "A browser that closed for inactivity is shown as closed on request",
    killedBy: ["RBS-INFO-05"],
    fault: () => onEnded(({ reason }) => ({ reason: reason === "inactive" ? "requested" : reason })),
  },
  {
    id: "info-units-late",
    title: "units only counts minutes that are over",
    killedBy: ["RBS-INFO-06"],
    fault: () => onRecord((record) => ({ ...record, units: Number(record["units"]) - 1 })),
  },
  {
    id: "info-units-at-end",
    title: "A browser that ends before its first minute is over consumes no unit",
    killedBy: ["RBS-INFO-06"],
    fault: () => onEnded(() => ({ units: 0 })),
  },
  {
    id: "info-headless-as-asked",
    title: "headless is what the request said, also for ChromeHeadlessShell",
    killedBy: ["RBS-INFO-07"],
    fault: () => onRecord((record) => (record["browser"] === 3 ? { ...record, headless: false } : record)),
  },
];
