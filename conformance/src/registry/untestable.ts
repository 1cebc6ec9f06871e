const UNEXPECTED =
  "a client can't provoke an unexpected error; RBS-ANSWER-03, -05 and -09 check such an answer when it occurs";
const RATE =
  "all operations share the rate; RBS-RATE-01 provokes this answer with getBrowsers, and RBS-ANSWER-10 checks it for every operation";
const PROVIDER =
  "it needs a provider that refuses or fails on demand; RBS-ANSWER-03 and -09 check such an answer when it occurs";

/** Declared responses (`openBrowser 500`) and constrained members that no rule can provoke, each with the reason. */
export const UNTESTABLE: Readonly<Record<string, string>> = {
  "openBrowser 429": RATE,
  "closeBrowser 429": RATE,
  "startRemoteDesktop 429": RATE,
  "stopRemoteDesktop 429": RATE,
  "queryAi 429": RATE,
  "openBrowser 500": UNEXPECTED,
  "closeBrowser 500": UNEXPECTED,
  "getBrowsers 500": UNEXPECTED,
  "startRemoteDesktop 500": UNEXPECTED,
  "stopRemoteDesktop 500": UNEXPECTED,
  "queryAi 500": UNEXPECTED,
  "queryAi 422": PROVIDER,
  "queryAi 502": PROVIDER,
  "queryAi 503": PROVIDER,
};
