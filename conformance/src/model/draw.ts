import * as fc from "fast-check";
import { type Draft, type Draw, type Opening, assignBrowsers } from "./assign-browsers.ts";
import type { ContractVersion } from "../contract/versions.ts";
import { ADDRESS_FORMS, LATER_VERBS, type LaterVerb } from "./step.ts";
import type { Mistake, OpenOptions, Sequence, Step, Verb } from "./step.ts";

const HEADLESS: readonly OpenOptions[] = [
  { Headless: true },
  { headless: true, stealth: false },
  { Headless: true, Browser: 2, Args: ["--lang=de-DE"] },
  { Browser: 3 },
  { Headless: true, Stealth: null, Proxy: null, Args: null, notAnOption: { at: "all" } },
  { browser: 3, Headless: false, Args: [] },
];
const GRAPHICAL: readonly OpenOptions[] = [
  {},
  { Headless: false, Args: ["--window-size=800,600"] },
  { headless: null, Browser: 2, args: null },
];
/** Label suffixes with characters that servers could corrupt. */
const LABEL_ENDS = ["", "", "", " Größe 🙂", ' "a" \\ /', " <b>&amp;"];

const BAD_OPTIONS: readonly (readonly [OpenOptions, string])[] = [
  [{ Headless: "yes" }, "/Headless"],
  [{ headless: 1 }, "/headless"],
  [{ KeepOpen: -1 }, "/KeepOpen"],
  [{ keepOpen: "30" }, "/keepOpen"],
  [{ Browser: 1 }, "/Browser"],
  [{ Stealth: "no" }, "/Stealth"],
  [{ Args: "--lang=de" }, "/Args"],
  [{ Proxy: { Host: "proxy.invalid", Port: 3128 } }, "/Proxy/Port"],
];
const NO_ADDRESSES: readonly OpenOptions[] = [
  {},
  { address: "" },
  { address: 5 },
  { Address: "ws://a/devtools/browser/b" },
];

const VERBS = ["close", "start", "stop"] as const;

function draft(pick: number, make: (browser: number) => Step, wants: Draft["wants"] = "any"): Draft {
  return { pick, make, wants };
}

const pick = fc.nat({ max: 999 });

const opening: fc.Arbitrary<Opening> = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...HEADLESS) },
      { weight: 2, arbitrary: fc.constantFrom(...GRAPHICAL) },
    ),
    fc.constantFrom(...LABEL_ENDS),
  )
  .map(([open, labelEnd]) => ({ open, labelEnd }));

const keyedOpening: fc.Arbitrary<Draw> = opening.map((draw) => ({ ...draw, isKeyed: true }));

const desktopOpening: fc.Arbitrary<Draw> = fc.constantFrom(...GRAPHICAL).map((open) => ({ open, labelEnd: "" }));

function calling(verb: Verb): fc.Arbitrary<Draw> {
  const forms = fc.oneof({ weight: 3, arbitrary: fc.constant("as given" as const) }, fc.constantFrom(...ADDRESS_FORMS));
  return fc
    .tuple(pick, forms)
    .map(([at, form]) => draft(at, (browser) => ({ do: verb, browser, form }), verb === "close" ? "any" : "graphical"));
}

function using(verb: "connect" | "ask" | "disconnect" | "quit" | "watch" | LaterVerb): fc.Arbitrary<Draw> {
  return pick.map((at) => draft(at, (browser) => ({ do: verb, browser }), verb === "watch" ? "graphical" : "any"));
}

const getting: fc.Arbitrary<Draw> = fc.constant(draft(0, () => ({ do: "get" })));

const anyVerb = fc.constantFrom(...VERBS);
const mistake: fc.Arbitrary<Mistake> = fc.oneof(
  fc
    .constantFrom(...VERBS, "open" as const, "get" as const)
    .map((each) => ({ kind: "wrong token" as const, verb: each })),
  fc.constantFrom(...VERBS, "open" as const).map((each) => ({ kind: "malformed body" as const, verb: each })),
  fc
    .tuple(anyVerb, fc.constantFrom(...NO_ADDRESSES))
    .map(([each, body]) => ({ kind: "no address" as const, verb: each, body })),
  fc
    .tuple(anyVerb, fc.boolean())
    .map(([each, isSimilar]) => ({ kind: "unknown address" as const, verb: each, isSimilar })),
  fc.constantFrom(...BAD_OPTIONS).map(([options, path]) => ({ kind: "bad option" as const, options, path })),
);
const erring: fc.Arbitrary<Draw> = fc
  .tuple(pick, mistake)
  .map(([at, each]) => draft(at, (browser) => ({ do: "err", mistake: each, browser })));

const laterStep = fc.oneof(
  { weight: 2, arbitrary: opening },
  { weight: 3, arbitrary: calling("close") },
  { weight: 6, arbitrary: calling("start") },
  { weight: 4, arbitrary: calling("stop") },
  { weight: 3, arbitrary: using("connect") },
  { weight: 1, arbitrary: using("ask") },
  { weight: 2, arbitrary: using("disconnect") },
  { weight: 1, arbitrary: using("quit") },
  { weight: 3, arbitrary: using("watch") },
  { weight: 5, arbitrary: getting },
  { weight: 5, arbitrary: erring },
);

/** Steps for deployments of contract 1.1. */
const addedStep = fc.oneof(
  { weight: 4, arbitrary: laterStep },
  { weight: 2, arbitrary: fc.oneof(...LATER_VERBS.filter((verb) => verb !== "closeAll").map(using)) },
  { weight: 1, arbitrary: fc.oneof(using("update"), using("closeAll")) },
);

/** Repeated Start and Stop requests for the same desktop. Some faults only appear after several Start requests. */
const restarting: fc.Arbitrary<readonly Draw[]> = fc.tuple(pick, fc.integer({ min: 1, max: 2 })).map(([at, times]) => {
  const call = (verb: Verb): Draw => draft(at, (browser) => ({ do: verb, browser, form: "as given" }), "graphical");
  return [...Array.from({ length: times }, () => [call("start"), call("stop")]).flat(), call("start")];
});

/** Calls Info before and after a change, to detect stale responses. */
const comparing: fc.Arbitrary<readonly Draw[]> = fc.tuple(pick, fc.boolean()).map(([at, isStopped]) => {
  const look = draft(at, (browser) => ({ do: "info", browser }), "graphical");
  const call = (verb: Verb): Draw => draft(at, (browser) => ({ do: verb, browser, form: "as given" }), "graphical");
  return [look, call("start"), look, ...(isStopped ? [call("stop"), look] : [])];
});

/**
 * Steps that may conflict. A group contains at most one Get request, because the contract doesn't guarantee that lists
 * are snapshots.
 */
const racingStep = fc.oneof(
  { weight: 2, arbitrary: opening },
  { weight: 5, arbitrary: calling("close") },
  { weight: 6, arbitrary: calling("start") },
  { weight: 4, arbitrary: calling("stop") },
  { weight: 2, arbitrary: using("connect") },
  { weight: 1, arbitrary: using("quit") },
  { weight: 3, arbitrary: getting },
);

export type Size = { readonly maxOpens: number; readonly minGroups: number; readonly maxGroups: number };

/** Generates sequences without concurrent steps. @param version The contract version. */
export function sequential(
  { maxOpens, minGroups, maxGroups }: Size,
  version: ContractVersion = "1.1",
): fc.Arbitrary<Sequence> {
  const isFirst = version === "1.0";
  // Begin with several browsers, because an operation on one browser must not affect the others.
  const opens = fc.array(isFirst ? opening : fc.oneof(opening, keyedOpening), {
    minLength: 1,
    maxLength: maxOpens,
    size: "max",
  });
  const one = (isFirst ? laterStep : addedStep).map((draw) => [draw]);
  const some = fc.oneof(
    { weight: 12, arbitrary: one },
    { weight: 1, arbitrary: restarting },
    { weight: isFirst ? 0 : 1, arbitrary: comparing },
  );
  const later = fc.array(some, { minLength: minGroups, maxLength: maxGroups, size: "max" });
  return fc
    .tuple(
      opens,
      later.map((each) => each.flat()),
    )
    .map((draws) =>
      assignBrowsers(
        draws.flat().map((each) => [each]),
        maxOpens,
      ),
    );
}

/** Generates sequences with groups of concurrent steps, mostly on the same browser. */
export function concurrent({ maxOpens, minGroups, maxGroups }: Size): fc.Arbitrary<Sequence> {
  const races = fc
    .tuple(fc.array(racingStep, { minLength: 2, maxLength: 4, size: "max" }), fc.option(pick, { freq: 3 }))
    .map(([draws, common]) => [
      common === null ? draws : draws.map((each) => ("pick" in each ? { ...each, pick: common } : each)),
    ]);
  const alike = fc
    .tuple(
      fc.oneof(calling("close"), calling("start"), calling("start"), calling("stop")),
      fc.integer({ min: 2, max: 3 }),
    )
    .map(([each, count]) => [Array.from({ length: count }, () => each)]);
  const between = fc
    .oneof(calling("start"), calling("stop"), using("connect"), using("watch"), erring)
    .map((each) => [[each]]);
  // A Get request after each group reveals which possible state is the actual one.
  const rounds = fc.oneof(
    { weight: 4, arbitrary: races },
    { weight: 2, arbitrary: alike },
    { weight: 1, arbitrary: between },
  );
  const later = fc.array(
    fc.tuple(rounds, getting).map(([groups, get]) => [...groups, [get]]),
    { minLength: minGroups, maxLength: maxGroups, size: "max" },
  );
  return fc
    .tuple(desktopOpening, opening, later)
    .map(([first, second, rest]) => assignBrowsers([[first], [second], ...rest.flat()], maxOpens));
}
