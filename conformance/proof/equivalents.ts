import type { Equivalent } from "./mutant.ts";

/** Faults that the suite can't detect, and the reasons. */
export const EQUIVALENTS: readonly Equivalent[] = [
  {
    title: "The parallel limit differs from the plan's, even with concurrent Open requests",
    reason: "Only the operator knows the plan. The suite checks that the limit is always the same.",
  },
  {
    title: "At the account's parallel limit, Open responds with 503, as if the machine were full",
    reason: "A full machine also responds with 503, so LIMIT-01 is inconclusive and does not pass.",
  },
  {
    title: "When a browser closes for inactivity, its clients receive a different reason",
    reason: "A browser with clients is not inactive, so no client is connected to receive the reason.",
  },
  {
    title:
      "The close code differs when the server stops, or when the browser hangs or reaches the plan's maximum lifetime",
    reason: "A suite with only a URL and tokens can't make a server stop, or a browser hang or expire.",
  },
  {
    title: "In the body of Unknown, status is 500",
    reason: "A client can't make a correct server return Unknown. ANSWER-05 checks such a response when it occurs.",
  },
  {
    title: "Open starts a different kind of browser than requested",
    reason: "The contract does not say how browsers identify themselves.",
  },
  {
    title: "The browser does not use the proxy, or uses a different one",
    reason: "To detect the fault, the suite would need a proxy and a web page that any deployment can reach.",
  },
  {
    title: "Units are charged only every second minute, counted by local months, or carried over to the next month",
    reason: "The API does not show charged units, and the effects would take hours or months.",
  },
  {
    title: "A client whose network fails counts as connected for longer than 30 or 120 seconds",
    reason: "The suite can't cut its own network connection.",
  },
  {
    title: "The language model receives the whole document, or follows instructions in it",
    reason: "The suite can't see the provider's input, and the contract does not specify the model's response.",
  },
  {
    title: "An error message does not explain what is wrong or how to fix it",
    reason: "Messages are for humans, and the contract does not prescribe their wording.",
  },
  {
    title: "Stop disconnects viewers with a different close code",
    reason: "The contract says that viewers are disconnected, but specifies no close code.",
  },
  {
    title: "A token in the URL's query is also accepted",
    reason: "The contract says what is required, not that everything else is rejected.",
  },
];
