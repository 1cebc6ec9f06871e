import { toObject } from "../target/json.ts";
import { type Answer, isStatus, refuse } from "./answer.ts";
import { type KnownBrowser, type Mismatch, type Model, withBrowser } from "./model.ts";

type ListedBrowser = { readonly [member: string]: unknown };

/** Checks the list that Get returns against the model. Ignores browsers that other clients opened. */
export function judgeList(answer: Answer, model: Model): Model | Mismatch {
  if (!isStatus(answer, 200)) return refuse("200", answer);
  const { sessions } = answer.body;
  if (!Array.isArray(sessions)) return { expected: "a list of sessions", seen: "a response without a list" };
  const labels = new Set([...model.browsers.values()].map(({ label }) => label));
  const addresses = new Set<unknown>([...model.browsers.values()].map(({ address }) => address));
  const all: readonly ListedBrowser[] = sessions.map(toObject);
  const own = all.filter(({ address, label }) => addresses.has(address) || labels.has(String(label)));
  if (own.some(({ address }) => !addresses.has(address))) {
    return {
      expected: "the addresses that Open returned",
      seen: "a browser with a known label but a different address",
    };
  }
  const times = own.map(({ startedOn }) => Date.parse(String(startedOn)));
  if (times.some((time, at) => time < (times[at - 1] ?? time))) {
    return { expected: "the list to be ordered by startedOn", seen: own.map(({ startedOn }) => startedOn).join(", ") };
  }
  let next = model;
  for (const [number, known] of model.browsers) {
    const found = own.filter(({ address }) => address === known.address);
    const judged = judgeListed(known, found);
    if ("expected" in judged) return { ...judged, browser: number };
    next = withBrowser(next, number, judged);
  }
  return next;
}

function judgeListed(known: KnownBrowser, [listed, ...more]: readonly ListedBrowser[]): KnownBrowser | Mismatch {
  if (known.state === "closing" && listed === undefined) return known;
  if (known.state === "closed") {
    return listed === undefined ? known : { expected: "to be absent from the list", seen: "the browser in the list" };
  }
  if (listed === undefined) return { expected: "to be listed", seen: "a list without the browser" };
  if (more.length > 0)
    return { expected: "to be listed once", seen: `the browser in the list ${more.length + 1} times` };
  const wrong = judgeShown(known, listed, "listed");
  if (wrong !== undefined) return wrong;
  // The desktop may stop before the browser leaves the list.
  const other = known.state === "open" ? judgePassword(known, listed["vncpass"]) : undefined;
  return other ?? { ...known, startedOn: String(listed["startedOn"]) };
}

/** Checks the members that list entries and records have in common. @param how The words before "with the label". */
export function judgeShown(known: KnownBrowser, shown: ListedBrowser, how: string): Mismatch | undefined {
  const { label, startedOn } = shown;
  if (label !== known.label) {
    return {
      expected: `to be ${how} with the label ${JSON.stringify(known.label)}`,
      seen: `the label ${JSON.stringify(label)}`,
    };
  }
  if (known.startedOn === undefined || String(startedOn) === known.startedOn) return undefined;
  return { expected: `startedOn to remain ${known.startedOn}`, seen: String(startedOn) };
}

export function judgePassword({ desktop }: KnownBrowser, vncpass: unknown): Mismatch | undefined {
  if (vncpass === (desktop?.full ?? null)) return undefined;
  const expected = desktop === undefined ? "to have vncpass null" : "to have vncpass set to the password from Start";
  return { expected, seen: vncpass === null ? "null" : "another password" };
}
