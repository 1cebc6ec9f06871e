import { type Act, describeAnswer } from "./answer.ts";
import { type Mistake, type Step, type Verb, browserOf } from "./step.ts";

/** Describes steps and their results, one per line. Browsers are numbered in the order in which they were opened. */
export function describeSteps(played: readonly (readonly Act[])[]): readonly string[] {
  return played.flatMap((acts, at) =>
    acts.map((act) => {
      const moment = acts.length > 1 ? " at the same time:" : "";
      const browser = nameOf(browserOf(act.step), played);
      return `${at + 1}.${moment} ${describeStep(act.step, browser)} → ${describeAct(act, browser)}`;
    }),
  );
}

/** Names browsers in the order in which they were opened: `browser 1` is the first. */
export function nameOf(browser: number | undefined, played: readonly (readonly Act[])[]): string {
  const numbers = played.flat().flatMap(({ step }) => (step.do === "open" ? [step.browser] : []));
  const place = browser === undefined ? -1 : numbers.indexOf(browser);
  return place === -1 ? "an unknown browser" : `browser ${place + 1}`;
}

function describeAct({ step, answer }: Act, browser: string): string {
  return step.do === "open" && describeAnswer(answer) === "200" ? browser : describeAnswer(answer);
}

function describeStep(step: Step, browser: string): string {
  switch (step.do) {
    case "open":
      return `Open ${JSON.stringify(step.options)}${step.isKeyed ? " with an Idempotency-Key" : ""}${step.labelEnd === "" ? "" : ` labelled …${JSON.stringify(step.labelEnd)}`}`;
    case "close":
    case "start":
    case "stop":
      return `${OPERATION[step.do]} ${browser}${step.form === "as given" ? "" : `, with its address written ${step.form}`}`;
    case "get":
      return "Get";
    case "connect":
      return `Connect a DevTools client to ${browser}`;
    case "ask":
      return `Call Browser.getVersion in a DevTools client of ${browser}`;
    case "disconnect":
      return `Disconnect a DevTools client of ${browser}`;
    case "quit":
      return `Call Browser.close in a DevTools client of ${browser}`;
    case "watch":
      return `Connect a viewer to ${browser}'s desktop with the last password`;
    case "info":
      return `Info ${browser}`;
    case "wait":
      return `Wait 0 s for ${browser}`;
    case "update":
      return `Update ${browser}'s label`;
    case "history":
      return `Get the history for ${browser}'s label`;
    case "closeAll":
      return `CloseAll with ${browser}'s label`;
    case "repeat":
      return `Repeat ${browser}'s Open request with its Idempotency-Key`;
    case "err":
      return describeMistake(step.mistake, browser);
  }
}

const OPERATION: Readonly<Record<Verb | "open" | "get", string>> = {
  open: "Open",
  get: "Get",
  close: "Close",
  start: "StartRemoteDesktop",
  stop: "StopRemoteDesktop",
};

function describeMistake(mistake: Mistake, browser: string): string {
  switch (mistake.kind) {
    case "wrong token":
      return `${OPERATION[mistake.verb]}${["open", "get"].includes(mistake.verb) ? "" : ` ${browser}`} with an invalid token`;
    case "malformed body":
      return `${OPERATION[mistake.verb]} with malformed JSON`;
    case "no address":
      return `${OPERATION[mistake.verb]} ${JSON.stringify(mistake.body)}`;
    case "unknown address":
      return `${OPERATION[mistake.verb]} ${mistake.isSimilar ? "with an address similar to an existing one" : "with an unknown address"}`;
    case "bad option":
      return `Open ${JSON.stringify(mistake.options)}`;
  }
}
