import { type OperationId, operations } from "@remote-browser/contract/operations";

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

const IDS = Object.keys(operations) as OperationId[];

/** Declared responses (`openBrowser 500`) and constrained members that no rule can test, and why. */
export const UNTESTABLE: Readonly<Record<string, string>> = {
  "openBrowser 409": SLOW,
  ...ofOperations(429, RATE, "getBrowsers"),
  ...ofOperations(500, UNEXPECTED),
  "queryAi 422": PROVIDER,
  "queryAi 502": PROVIDER,
  "queryAi 503": PROVIDER,
  ...ofOperations(503, STORAGE, "openBrowser", "takeScreenshot", "takeScreenshotImage", "queryAi"),
  "takeScreenshot 503": PICTURE,
  "takeScreenshotImage 503": PICTURE,
};

/** Uses the same reason for one status of all operations except `others`. */
function ofOperations(status: number, reason: string, ...others: readonly OperationId[]): Record<string, string> {
  return Object.fromEntries(IDS.filter((id) => !others.includes(id)).map((id) => [`${id} ${status}`, reason]));
}
