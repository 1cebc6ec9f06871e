import type { Mutant } from "../mutant.ts";
import { onShown, type Shown } from "./shown.ts";

/** When the inactivity period ends, counted from the opening. */
function inactiveOn({ startedOn, keepOpen }: Shown): string | null {
  return keepOpen === null ? null : new Date(Date.parse(String(startedOn)) + Number(keepOpen) * 1000).toISOString();
}

const isOpen = ({ address }: Shown): boolean => address !== null;

/** Members that change while a browser is open. */
export const CHANGING_MEMBER_MUTANTS: readonly Mutant[] = [
  {
    id: "list-keep-open-milliseconds",
    title: "keepOpen is listed in milliseconds",
    killedBy: ["RBS-LIST-09", "RBS-INFO-01"],
    fault: () => onShown((shown) => ({ ...shown, keepOpen: Number(shown["keepOpen"]) * 1000 })),
  },
  {
    id: "list-keep-open-rounded",
    title: "keepOpen is listed in whole seconds",
    killedBy: ["RBS-LIST-09"],
    fault: () => onShown((shown) => ({ ...shown, keepOpen: Math.round(Number(shown["keepOpen"])) })),
  },
  {
    id: "list-keep-open-zero",
    title: "KeepOpen 0 is listed as 0",
    killedBy: ["RBS-LIST-10"],
    fault: () => onShown((shown) => ({ ...shown, keepOpen: shown["keepOpen"] ?? 0 })),
  },
  {
    id: "list-closes-on-without-lifetime",
    title: "closesOn does not consider the lifetime",
    killedBy: ["RBS-LIST-11", "RBS-LIST-12"],
    fault: () => onShown((shown) => (isOpen(shown) ? { ...shown, closesOn: inactiveOn(shown) } : shown)),
  },
  {
    id: "list-closes-on-seconds",
    title: "closesOn has no milliseconds",
    killedBy: ["RBS-LIST-11"],
    fault: () =>
      onShown((shown) => {
        const { closesOn } = shown;
        return { ...shown, closesOn: typeof closesOn === "string" ? closesOn.replace(/\.\d+/, "") : closesOn };
      }),
  },
  {
    id: "list-closes-on-with-clients",
    title: "closesOn is the end of the inactivity period although a client is connected",
    killedBy: ["RBS-LIST-12"],
    fault: () =>
      onShown((shown) => (isOpen(shown) ? { ...shown, closesOn: shown["closesOn"] ?? inactiveOn(shown) } : shown)),
  },
  {
    id: "list-clients-none",
    title: "clients is always 0",
    killedBy: ["RBS-LIST-13", "RBS-LIST-14"],
    fault: () => onShown((shown) => ({ ...shown, clients: 0 })),
  },
  {
    id: "list-clients-one",
    title: "clients only says whether any client is connected",
    killedBy: ["RBS-LIST-13"],
    fault: () => onShown((shown) => ({ ...shown, clients: Math.min(1, Number(shown["clients"])) })),
  },
  {
    id: "list-clients-left",
    title: "clients also counts those that have left",
    killedBy: ["RBS-LIST-13"],
    fault: () => {
      const most = new Map<unknown, number>();
      return onShown((shown) => {
        const clients = Math.max(most.get(shown["id"]) ?? 0, Number(shown["clients"]));
        most.set(shown["id"], clients);
        return { ...shown, clients };
      });
    },
  },
  {
    id: "list-viewers-uncounted",
    title: "clients does not count viewers of a desktop",
    killedBy: ["RBS-LIST-14"],
    fault: () => onShown((shown) => (shown["desktop"] === true ? { ...shown, clients: 0 } : shown)),
  },
  {
    id: "list-desktop-possible",
    title: "desktop says whether a desktop can be started",
    killedBy: ["RBS-LIST-14"],
    fault: () => onShown((shown) => ({ ...shown, desktop: shown["headless"] === false })),
  },
];
