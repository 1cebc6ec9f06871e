const UNEXPECTED =
  "a client can't provoke an unexpected error; RBS-ANSWER-03, -05 and -09 check such an answer when it occurs";
const RATE =
  "all operations share the rate; RBS-RATE-01 provokes this answer with getBrowsers, and RBS-ANSWER-10 checks it for every operation";
const PROVIDER =
  "it needs a provider that refuses or fails on demand; RBS-ANSWER-03 and -09 check such an answer when it occurs";
const STORAGE =
  "a client can't make the deployment's database fail; RBS-ANSWER-03 and -09 check such an answer when it occurs";
const PICTURE =
  "it needs a browser without any page, which a fake browser never is; RBS-ANSWER-03 and -09 check such an answer when it occurs";
const SLOW =
  "it needs an Open that takes longer than 30 seconds; RBS-ANSWER-03 and -09 check such an answer when it occurs";

/** Declared responses (`openBrowser 500`) and constrained members that no rule can provoke, each with the reason. */
export const UNTESTABLE: Readonly<Record<string, string>> = {
  "openBrowser 409": SLOW,
  "openBrowser 429": RATE,
  "closeBrowser 429": RATE,
  "startRemoteDesktop 429": RATE,
  "stopRemoteDesktop 429": RATE,
  "getBrowserInfo 429": RATE,
  "getBrowserHistory 429": RATE,
  "waitForBrowser 429": RATE,
  "updateBrowser 429": RATE,
  "closeAllBrowsers 429": RATE,
  "takeScreenshot 429": RATE,
  "getAccount 429": RATE,
  "queryAi 429": RATE,
  "openBrowser 500": UNEXPECTED,
  "closeBrowser 500": UNEXPECTED,
  "getBrowsers 500": UNEXPECTED,
  "startRemoteDesktop 500": UNEXPECTED,
  "stopRemoteDesktop 500": UNEXPECTED,
  "getBrowserInfo 500": UNEXPECTED,
  "getBrowserHistory 500": UNEXPECTED,
  "waitForBrowser 500": UNEXPECTED,
  "updateBrowser 500": UNEXPECTED,
  "closeAllBrowsers 500": UNEXPECTED,
  "takeScreenshot 500": UNEXPECTED,
  "getAccount 500": UNEXPECTED,
  "queryAi 500": UNEXPECTED,
  "queryAi 422": PROVIDER,
  "queryAi 502": PROVIDER,
  "queryAi 503": PROVIDER,
  "closeBrowser 503": STORAGE,
  "getBrowsers 503": STORAGE,
  "startRemoteDesktop 503": STORAGE,
  "stopRemoteDesktop 503": STORAGE,
  "getBrowserInfo 503": STORAGE,
  "getBrowserHistory 503": STORAGE,
  "waitForBrowser 503": STORAGE,
  "updateBrowser 503": STORAGE,
  "closeAllBrowsers 503": STORAGE,
  "getAccount 503": STORAGE,
  "takeScreenshot 503": PICTURE,
};
