import { operations } from "@remote-browser/contract/operations";
import { ConfigError } from "../config-error.ts";
import { type ContractVersion, NEWEST_VERSION, toVersion } from "../contract/versions.ts";
import { DECLARED, type Declared } from "../contract/vocabulary.ts";
import { Account, sendWithRetries } from "../session/account.ts";
import { describe, toErrorBody } from "../session/expect.ts";
import type { RunOptions } from "../session/run-options.ts";
import { Session } from "../session/session.ts";
import type { Received } from "../target/exchange.ts";
import { toObject } from "../target/json.ts";
import { NoAnswer } from "../target/no-answer.ts";
import { Undecidable } from "../target/violation.ts";
import { type Lists, accountsOf, listIfPossible } from "./browser-lists.ts";

/** What the suite learns about a deployment before the rules run. */
export type Deployment = {
  readonly contract: ContractVersion;
  /** What the deployment declares as missing. */
  readonly lacks: readonly Declared[];
  /** The browsers that were open before the run. */
  readonly before: Lists;
};

/** ChromeHeadlessShell, which some deployments don't offer. */
const LIGHT_KIND = 3;
/** Chrome, which some deployments offer instead of the default kind. */
const OTHER_KIND = 0;

/** Open errors caused by the account or the machine, which prevent testing any rules about browsers. */
const FATAL_REFUSALS: ReadonlySet<unknown> = new Set([
  ...["NoSubscription", "NoUnits", "BrowserLimit", "BrowserUnavailable", "TooManyRequests", "Unknown"],
]);

type Asking = Omit<RunOptions, "contract" | "rules">;

/**
 * Examines a deployment without changing it.
 * @param wanted The contract version to check. Undefined means the deployment's version: the one in its
 * `/openapi.json`, or else 1.0 if it doesn't have an operation that 1.1 added.
 * @throws {ConfigError} If there is no service at this URL, or a token is wrong. The error is one sentence.
 */
export async function examine(options: Asking, wanted: ContractVersion | undefined): Promise<Deployment> {
  await using session = new Session({ ...options, contract: wanted ?? NEWEST_VERSION, rules: [] });
  return await asConfigError(session, async () => {
    for (const { account, option } of accountsOf(session))
      expectService(session, option, (await account.get()).received);
    const before = await listIfPossible(session);
    const served = toObject(await readPath(session, "/openapi.json"));
    const capabilities = toObject(served["x-capabilities"]);
    const lacks = DECLARED.filter((name) => capabilities[name] === false);
    return { contract: wanted ?? (await detectVersion(session, served)), lacks, before };
  });
}

/**
 * Opens a browser, of the cheapest kind that the deployment offers.
 * @returns `lightKind` is undefined if only the default kind is known to exist.
 * @throws {ConfigError} If the account can't open any browser. The error is one sentence.
 */
export async function findLightKind(
  options: RunOptions,
): Promise<{ readonly lightKind: number | undefined; readonly opened: number }> {
  await using session = new Session(options);
  return await asConfigError(session, async () => {
    const lightKind = await tryKinds(session);
    return { lightKind, opened: session.budget.opened };
  });
}

async function tryKinds(session: Session): Promise<number | undefined> {
  const account = new Account(session, session.newTarget(), session.options.token);
  const open = async (kind: object): Promise<Received> => {
    const own = { Headless: true, KeepOpen: 10, Label: session.newLabel() };
    return (await sendWithRetries(() => account.open({ ...own, ...kind }))).received;
  };
  if ((await open({ Browser: LIGHT_KIND })).status === 200) return LIGHT_KIND;
  const received = await open({});
  const { name, message } = toErrorBody(received.json);
  if (received.status < 400 || !FATAL_REFUSALS.has(name)) return undefined;
  if (received.status === 503 && (await open({ Browser: OTHER_KIND })).status === 200) return OTHER_KIND;
  const words = typeof message === "string" ? message : "";
  throw new ConfigError([`The account can't open a browser: Open returned ${describe(received)}. ${words}`.trim()]);
}

/** @throws {ConfigError} If the response to Get can't come from a service that knows the token. */
function expectService(session: Session, option: string, received: Received): void {
  const { baseUrl } = session.options;
  const answer = `${baseUrl} responds to Get with ${describe(received)}`;
  if (received.status === 401) throw new ConfigError([`The server does not accept ${option}: ${answer}.`]);
  if (received.json !== undefined && received.status !== 404) return;
  const type = received.headers["content-type"] ?? "no Content-Type";
  throw new ConfigError([`There is no Remote Browser Service at this URL: ${answer} (${type}). Check --base-url.`]);
}

/** @param served The contract that the deployment serves; an empty object if it serves none. */
async function detectVersion(session: Session, served: Readonly<Record<string, unknown>>): Promise<ContractVersion> {
  const { version } = toObject(served["info"]);
  const supported = typeof version === "string" ? toVersion(version) : undefined;
  if (supported !== undefined) return supported;
  const { name } = toErrorBody(await readPath(session, operations.getAccount.path));
  return name === "NotFound" ? "1.0" : NEWEST_VERSION;
}

/** Returns the body of the response to a GET request, as JSON. */
async function readPath(session: Session, path: string): Promise<unknown> {
  const headers = { Authorization: `Bearer ${session.options.token}` };
  return (await session.newTarget().send({ method: "GET", path, headers })).received.json;
}

/** @throws {ConfigError} If the server doesn't respond, instead of the suite's own errors. */
async function asConfigError<T>(session: Session, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConfigError || error instanceof Undecidable) {
      throw new ConfigError([session.redact(error.message)]);
    }
    if (!(error instanceof NoAnswer)) throw error;
    const what = error.isReached ? "The server doesn't answer" : "The server can't be reached";
    throw new ConfigError([`${what}: ${session.redact(error.message)}`]);
  }
}
