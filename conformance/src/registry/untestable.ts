const UNEXPECTED =
  "nobody can bring about from outside what a server does not expect; RBS-ANSWER-03, -05 and -09 judge it when it comes";
const RATE =
  "no operation has a rate of its own; RBS-RATE-01 brings it about at getBrowsers, RBS-ANSWER-10 judges it anywhere";
const PROVIDER = "it takes a provider that declines or fails on demand; RBS-ANSWER-03 and -09 judge it when it comes";

/** What no rule brings about, and why: declared answers (`openBrowser 500`) and constrained members. */
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
