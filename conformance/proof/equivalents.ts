import type { Equivalent } from "./mutant.ts";

/** Faults that the suite can't detect, with the reasons. */
export const EQUIVALENTS: readonly Equivalent[] = [
  {
    title: "The parallel limit differs from the plan's, also with concurrent Open requests",
    reason: "Only the operator knows the plan. The suite checks that the limit is always the same.",
  },
  {
    title: "The account's parallel limit is answered with 503, as if the machine were full",
    reason: "A full machine answers the same. LIMIT-01 is inconclusive then, so it does not pass.",
  },
  {
    title: "When a browser closes for inactivity, its clients receive a different reason",
    reason: "A browser with clients is not inactive, so no client can receive this reason.",
  },
  {
    title:
      "The close code differs when the server stops, or when the browser crashes, hangs or reaches the plan's maximum lifetime",
    reason: "A suite that only knows a URL and tokens can't cause any of these.",
  },
  {
    title: "In the body of Unknown, status says 500",
    reason: "A client can't make a correct server answer Unknown. ANSWER-05 checks such a response when it occurs.",
  },
  {
    title: "Open starts another kind of browser than the one that was requested",
    reason: "The contract does not say how browsers identify themselves.",
  },
  {
    title: "The browser does not use the proxy, or uses a different one",
    reason: "Detecting this requires a proxy and a web page that any deployment can reach.",
  },
  {
    title: "Units are charged every second minute, by local months, or carried over to the next month",
    reason: "The API does not show charged units, and the effects would take hours or months.",
  },
  {
    title: "A client whose network fails counts as connected for longer than 30 or 120 seconds",
    reason: "A client can't cut its own network.",
  },
  {
    title: "The language model receives the whole document, or follows instructions in it",
    reason: "The suite can't see the provider's input, and the contract does not promise what the model makes of it.",
  },
  {
    title: "An error message does not say what was wrong and what to do",
    reason: "Messages are for humans, and their wording is free.",
  },
  {
    title: "Stop disconnects viewers with a different close code",
    reason: "The contract says that viewers are disconnected, but not with which code.",
  },
  {
    title: "A token in the query of the URL is accepted too",
    reason: "The contract says what is required, not that everything else is refused.",
  },
];
