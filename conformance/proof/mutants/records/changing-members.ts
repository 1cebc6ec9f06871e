import { type Mutant, mutant } from "../../mutant.ts";
import { type Shown, onShown } from "../../faults/shown.ts";

/** End of the inactivity period, counted from when the browser opened. */
function inactiveOn({ startedOn, keepOpen }: Shown): string | null {
  return keepOpen === null ? null : new Date(Date.parse(String(startedOn)) + Number(keepOpen) * 1000).toISOString();
}

const isOpen = ({ address }: Shown): boolean => address !== null;

/** Faults in members that change while a browser is open. */
export const CHANGING_MEMBER_MUTANTS: readonly Mutant[] = [
  mutant("list-keep-open-milliseconds", ["RBS-LIST-09", "RBS-INFO-01"], "keepOpen is listed in milliseconds", () =>
    onShown((shown) => ({ ...shown, keepOpen: Number(shown["keepOpen"]) * 1000 })),
  ),
  mutant("list-keep-open-rounded", ["RBS-LIST-09"], "keepOpen is rounded to whole seconds", () =>
    onShown((shown) => ({ ...shown, keepOpen: Math.round(Number(shown["keepOpen"])) })),
  ),
  mutant("list-keep-open-zero", ["RBS-LIST-10"], "KeepOpen 0 is listed as 0", () =>
    onShown((shown) => ({ ...shown, keepOpen: shown["keepOpen"] ?? 0 })),
  ),
  mutant("list-closes-on-without-lifetime", ["RBS-LIST-11", "RBS-LIST-12"], "closesOn ignores the lifetime", () =>
    onShown((shown) => (isOpen(shown) ? { ...shown, closesOn: inactiveOn(shown) } : shown)),
  ),
  mutant("list-closes-on-seconds", ["RBS-LIST-11"], "closesOn has no milliseconds", () =>
    onShown((shown) => {
      const { closesOn } = shown;
      return { ...shown, closesOn: typeof closesOn === "string" ? closesOn.replace(/\.\d+/, "") : closesOn };
    }),
  ),
  mutant("list-closes-on-with-clients", ["RBS-LIST-12"], "closesOn is set even while a client is connected", () =>
    onShown((shown) => (isOpen(shown) ? { ...shown, closesOn: shown["closesOn"] ?? inactiveOn(shown) } : shown)),
  ),
  mutant("list-clients-none", ["RBS-LIST-13", "RBS-LIST-14"], "clients is always 0", () =>
    onShown((shown) => ({ ...shown, clients: 0 })),
  ),
  mutant("list-clients-one", ["RBS-LIST-13"], "clients is 1 for any number of connected clients", () =>
    onShown((shown) => ({ ...shown, clients: Math.min(1, Number(shown["clients"])) })),
  ),
  mutant("list-clients-left", ["RBS-LIST-13"], "clients includes clients that have disconnected", () => {
    const most = new Map<unknown, number>();
    return onShown((shown) => {
      const clients = Math.max(most.get(shown["id"]) ?? 0, Number(shown["clients"]));
      most.set(shown["id"], clients);
      return { ...shown, clients };
    });
  }),
  mutant("list-viewers-uncounted", ["RBS-LIST-14"], "clients doesn't count desktop viewers", () =>
    onShown((shown) => (shown["desktop"] === true ? { ...shown, clients: 0 } : shown)),
  ),
  mutant("list-desktop-possible", ["RBS-LIST-14"], "desktop reports whether a desktop can be started", () =>
    onShown((shown) => ({ ...shown, desktop: shown["headless"] === false })),
  ),
];
