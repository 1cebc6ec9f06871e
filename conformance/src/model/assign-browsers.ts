import { type Group, type OpenOptions, type Sequence, type Step, isGraphical } from "./step.ts";

/** Longer than any sequence, so that no browser closes due to inactivity. */
const KEEP_OPEN_S = 180;

/** A step that has no browser yet. `pick` selects the browser. */
export type Draft = {
  readonly pick: number;
  readonly make: (browser: number) => Step;
  readonly wants: "any" | "graphical";
};
export type Opening = { readonly open: OpenOptions; readonly labelEnd: string; readonly isKeyed?: true };
export type Draw = Draft | Opening;

/** A browser's state, derived only from the steps. */
type PlannedBrowser = { readonly number: number; readonly isGraphical: boolean; isClosed: boolean };

/** Numbers the Open requests, and assigns an earlier browser to each of the other steps. */
export function assignBrowsers(groups: readonly (readonly Draw[])[], maxOpens: number): Sequence {
  const opened: PlannedBrowser[] = [];
  const settleGroup = (draws: readonly Draw[]): Group => {
    const choices = { any: listChoices(opened, false), graphical: listChoices(opened, true) };
    const steps: Step[] = [];
    for (const draw of draws) {
      if (!("open" in draw)) {
        const from = choices[draw.wants];
        const step = draw.make(from[draw.pick % from.length]?.number ?? 0);
        if (step.do !== "get" || steps.every((other) => other.do !== "get")) steps.push(step);
      } else if (opened.length < maxOpens) {
        const { open, ...others } = draw;
        const options = { KeepOpen: KEEP_OPEN_S, ...open };
        const number = opened.push({ number: opened.length + 1, isGraphical: isGraphical(options), isClosed: false });
        steps.push({ do: "open", browser: number, options, ...others });
      }
    }
    for (const step of steps) {
      const ended =
        ["close", "quit", "closeAll"].includes(step.do) && "browser" in step ? opened[step.browser - 1] : undefined;
      if (ended !== undefined) ended.isClosed = true;
    }
    return steps;
  };
  return groups.map(settleGroup).filter((group) => group.length > 0);
}

/** Lists the browsers to choose from. Open browsers appear several times, because steps on them find more faults. */
function listChoices(opened: readonly PlannedBrowser[], wantsDesktop: boolean): readonly PlannedBrowser[] {
  return opened.flatMap((each) => {
    const isLively = !each.isClosed && (each.isGraphical || !wantsDesktop);
    return Array.from({ length: isLively ? 6 : 1 }, () => each);
  });
}
