import type { RuleId } from "../src/registry/vocabulary.ts";
import type { Equivalent } from "./mutant.ts";

/** Rules that look into pages; the browsers of these servers have none. */
export const OF_REAL_PAGES: readonly RuleId[] = [
  "RBS-CONNECT-08",
  "RBS-ISO-04",
  "RBS-OPEN-13",
  "RBS-STEALTH-01",
  "RBS-STEALTH-02",
];

/** Faults that are not among the mutants, and why. */
export const EQUIVALENTS: readonly Equivalent[] = [
  {
    title: "Another parallel limit than the plan's, also when many Opens come at once",
    reason: "Nobody but the operator knows the plan; that the limit is the same every time is checked.",
  },
  {
    title: "The account's parallel limit is answered with 503, as if the machine were full",
    reason: "A machine that is full answers the same. LIMIT-01 ends as inconclusive then, which is no pass.",
  },
  {
    title: "Clients hear another reason when their browser ends by inactivity",
    reason: "As long as there is a client, there is no inactivity: nobody ever hears it.",
  },
  {
    title:
      "Another close code when the server is stopped, the browser crashes, hangs or reaches the plan's maximum lifetime",
    reason: "A suite that only knows a URL and tokens can bring none of these about.",
  },
  {
    title: "In the body of Unknown, status says 500",
    reason:
      "Nothing that a client may send makes a correct server answer Unknown; ANSWER-05 sees it where it comes up.",
  },
  {
    title: "Another kind of browser is opened than the one that was asked for",
    reason: "The names that browsers give themselves are no part of the contract, and a stand-in may take any.",
  },
  {
    title: "The proxy is not used, or another one is",
    reason: "It takes a proxy and a page of one's own to see it; the suite brings neither to a stranger's deployment.",
  },
  {
    title: "Units are charged for every second minute, or in local time, or carried over",
    reason: "What has been charged is nowhere to be read, and it would take hours or months to feel it.",
  },
  {
    title: "A peer that vanishes counts as connected for longer than 30 or 120 seconds",
    reason: "Vanishing takes a network that is cut, which a client in the same network can't do to itself.",
  },
  {
    title: "The whole document is sent to the language model, or what stands in it instructs the model",
    reason: "What the provider is sent is not seen from outside, and what it makes of it is not the service's promise.",
  },
  {
    title: "A message says less than what was wrong and what to do",
    reason: "Messages are for people, and may be worded in any way.",
  },
  {
    title: "Stop lets go of viewers with another close code",
    reason: "The contract says that they are disconnected, and not with which words.",
  },
  {
    title: "A token is also taken from the query of the URL",
    reason: "The contract says what is needed, not that nothing else may do.",
  },
];
