import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { onAnswer } from "../../faults/alter.ts";
import { type Shown, onInfo, onRecord } from "../../faults/shown.ts";

const isClosed = ({ state }: Shown): boolean => state === "closed";

/** Changes how Info, Update and the history show ended browsers. */
function onEnded(alter: (record: Shown) => Shown): Fault {
  return onRecord((record) => (isClosed(record) ? { ...record, ...alter(record) } : record));
}

/** What Info shows. */
export const INFO_MUTANTS: readonly Mutant[] = [
  mutant("info-state", ["RBS-INFO-01"], "The state of an open browser is running", () =>
    onRecord((record) => (isClosed(record) ? record : { ...record, state: "running" })),
  ),
  mutant("info-one-unit", ["RBS-INFO-08"], "A browser's units are always shown as 1", () =>
    onInfo((record) => ({ ...record, units: 1 })),
  ),
  mutant("info-without-label", ["RBS-INFO-01"], "Info omits labels", () =>
    onInfo((record) => ({ ...record, label: null })),
  ),
  mutant("info-started-differs", ["RBS-INFO-01"], "Info and Get show different opening times", () =>
    onInfo((record) => ({
      ...record,
      startedOn: new Date(Date.parse(String(record["startedOn"])) + 1).toISOString(),
    })),
  ),
  mutant("info-browser", ["RBS-INFO-01"], "Every browser's kind is shown as Chrome", () =>
    onInfo((record) => ({ ...record, browser: 0 })),
  ),
  mutant("info-ended-404", ["RBS-INFO-02"], "Info doesn't find browsers that have ended", () =>
    onAnswer("getBrowserInfo", ({ status, body }) =>
      status === 200 && isClosed(body)
        ? { status: 404, body: { status: 404, name: "BrowserNotFound", message: "It has ended.", requestId: "none" } }
        : {},
    ),
  ),
  mutant("info-ended-by-id-only", ["RBS-INFO-02"], "Info doesn't find ended browsers by address", () => ({
    services: (services) => {
      const { usage } = services.store;
      const findEnded: typeof usage.findEnded = async (accountId, selector) =>
        "id" in selector ? usage.findEnded(accountId, selector) : undefined;
      return { ...services, store: { ...services.store, usage: { ...usage, findEnded } } };
    },
  })),
  mutant("info-address-stays", ["RBS-INFO-02"], "Info shows the address of a browser that has ended", () => {
    const known = new Map<unknown, unknown>();
    return onInfo((record) => {
      if (record["address"] !== null) known.set(record["id"], record["address"]);
      return { ...record, address: known.get(record["id"]) ?? null };
    });
  }),
  mutant("info-keep-open-forgotten", ["RBS-INFO-02"], "keepOpen is 0 for a browser that has ended", () =>
    onEnded(() => ({ keepOpen: 0 })),
  ),
  mutant("info-ended-on-missing", ["RBS-INFO-03"], "endedOn is missing", () => onEnded(() => ({ endedOn: null }))),
  mutant("info-ended-on-start", ["RBS-INFO-03"], "endedOn is the opening time", () =>
    onEnded(({ startedOn }) => ({ endedOn: startedOn })),
  ),
  mutant("info-ended-on-changes", ["RBS-INFO-03"], "endedOn is slightly later in each response", () => {
    let asked = 0;
    return onEnded(({ endedOn }) => {
      asked += 1;
      return { endedOn: new Date(Date.parse(String(endedOn)) + asked).toISOString() };
    });
  }),
  mutant("info-reason-words", ["RBS-INFO-04", "RBS-INFO-05"], "reason contains the whole WebSocket close reason", () =>
    onEnded(({ reason }) => ({ reason: `browser closed: ${String(reason)}` })),
  ),
  mutant("info-reason-exited", ["RBS-INFO-04"], "A browser that exited is shown as closed on request", () =>
    onEnded(({ reason }) => ({ reason: reason === "exited" ? "requested" : reason })),
  ),
  mutant("info-reason-inactive", ["RBS-INFO-05"], "An inactive browser is reported as closed by a request", () =>
    onEnded(({ reason }) => ({ reason: reason === "inactive" ? "requested" : reason })),
  ),
  mutant("info-units-late", ["RBS-INFO-06"], "units only counts complete minutes", () =>
    onRecord((record) => ({ ...record, units: Number(record["units"]) - 1 })),
  ),
  mutant("info-units-at-end", ["RBS-INFO-06"], "A browser that ends within a minute consumes no units", () =>
    onEnded(() => ({ units: 0 })),
  ),
  mutant("info-headless-as-asked", ["RBS-INFO-07"], "headless repeats the option even for ChromeHeadlessShell", () =>
    onRecord((record) => (record["browser"] === 3 ? { ...record, headless: false } : record)),
  ),
];
