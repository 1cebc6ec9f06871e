import type { RuleId } from "../src/registry/vocabulary.ts";
import type { Equivalent } from "./mutant.ts";

/** Rules that need pages, which fake browsers don't have. */
export const OF_REAL_PAGES: readonly RuleId[] = [
  "RBS-CONNECT-08",
  "RBS-ISO-04",
  "RBS-OPEN-13",
  "RBS-STEALTH-01",
  "RBS-STEALTH-02",
];

/** Faults that aren't mutants, and why. */
export const EQUIVALENTS: readonly Equivalent[] = [
  {
    title: "Another parallel limit than the plan's, also when many Opens come at once",
    reason: "Only the operator knows the plan. Rules check that the limit is the same every time.",
  },
  {
    title: "The account's parallel limit is answered with 503, as if the machine were full",
    reason: "A full machine answers the same. LIMIT-01 is inconclusive then, and doesn't pass.",
  },
  {
    title: "Clients hear another reason when their browser ends by inactivity",
    reason: "A browser with a client isn't inactive, so no client ever receives this reason.",
  },
  {
    title:
      "Another close code when the server is stopped, the browser crashes, hangs or reaches the plan's maximum lifetime",
    reason: "A suite that has only a URL and tokens can't cause any of these.",
  },
  {
    title: "In the body of Unknown, status says 500",
    reason: "No request makes a correct server answer Unknown. ANSWER-05 checks the body if it appears.",
  },
  {
    title: "Another kind of browser is opened than the one that was asked for",
    reason: "The contract doesn't cover the names that browsers report, and a fake browser may report any name.",
  },
  {
    title: "The proxy is not used, or another one is",
    reason: "Detecting this needs a proxy and a page of the suite's own, which a deployment may not be able to reach.",
  },
  {
    title: "Units are charged for every second minute, or in local time, or carried over",
    reason: "The API doesn't return charged units, and the limit would show the fault only after hours or months.",
  },
  {
    title: "A peer that vanishes counts as connected for longer than 30 or 120 seconds",
    reason: "The fault shows only when the network is cut, and a client can't cut its own network.",
  },
  {
    title: "The whole document is sent to the language model, or text in it instructs the model",
    reason:
      "A client doesn't see the request to the provider, and the contract doesn't promise what the model does with it.",
  },
  {
    title: "A message says less than what was wrong and what to do",
    reason: "Messages are for people, and the contract allows any wording.",
  },
  {
    title: "Stop disconnects viewers with another close code",
    reason: "The contract says that viewers are disconnected, but doesn't name a close code.",
  },
  {
    title: "A token is also taken from the query of the URL",
    reason: "The contract says how to send a token, but doesn't forbid other ways.",
  },
];
