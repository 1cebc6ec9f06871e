import { Account, sendWithRetries } from "../session/account.ts";
import { describe, toErrorBody } from "../session/expect.ts";
import { type Lists, accountsOf, listIfPossible } from "./browser-lists.ts";
import type { RunOptions } from "../session/run-options.ts";
import { Session } from "../session/session.ts";
import { Undecidable } from "../target/violation.ts";
import { NoAnswer } from "../target/no-answer.ts";

/** The browsers that were open before the run and the cheapest kind available, or why the run can't start. */
type Preflight =
  | {
      readonly is: "ready";
      readonly before: Lists;
      readonly lightKind: number | undefined;
      /** Number of browsers that this check opened. */
      readonly opened: number;
    }
  | { readonly is: "failed"; readonly why: string };

/** ChromeHeadlessShell, which some deployments don't offer. */
const LIGHT_KIND = 3;
/** Chrome, which some deployments offer instead of the default kind. */
const OTHER_KIND = 0;

/** Open errors caused by the account or the machine, which prevent testing any rules about browsers. */
const FATAL_REFUSALS: ReadonlySet<unknown> = new Set([
  ...["NoSubscription", "NoUnits", "BrowserLimit", "BrowserUnavailable", "TooManyRequests", "Unknown"],
]);

/**
 * Checks that the server can be reached, accepts the tokens and can open browsers.
 * @param opensBrowsers Whether the run needs browsers.
 */
export async function preflight(options: RunOptions, opensBrowsers: boolean): Promise<Preflight> {
  await using session = new Session(options);
  try {
    for (const { account, option } of accountsOf(session)) {
      const { received } = await account.get();
      if (received.status !== 401) continue;
      const answer = session.redact(describe(received));
      return {
        is: "failed",
        why: `The server does not accept ${option}: ${options.baseUrl} responds to Get with ${answer}.`,
      };
    }
    const before = await listIfPossible(session);
    session.protect([...before.values()].flat().map(({ address }) => address));
    return opensBrowsers ? await tryOpen(session, before) : toReady(session, before, undefined);
  } catch (error) {
    if (error instanceof Undecidable) return { is: "failed", why: session.redact(error.message) };
    if (!(error instanceof NoAnswer)) throw error;
    return { is: "failed", why: `The server can't be reached: ${session.redact(error.message)}` };
  }
}

async function tryOpen(session: Session, before: Lists): Promise<Preflight> {
  const account = new Account(session, session.newTarget(), session.options.token);
  const open = (options: object) =>
    sendWithRetries(() => account.open({ Headless: true, KeepOpen: 10, Label: session.newLabel(), ...options }));
  const light = await open({ Browser: LIGHT_KIND });
  if (light.received.status === 200) return toReady(session, before, LIGHT_KIND);
  const { received } = await open({});
  if (light.received.json === undefined && received.json === undefined) {
    const type = received.headers["content-type"] ?? "nothing";
    return { is: "failed", why: `Open returned ${received.status} with ${type} instead of JSON. Check the URL.` };
  }
  const refusal = toErrorBody(received.json);
  if (received.status < 400 || !FATAL_REFUSALS.has(refusal.name)) return toReady(session, before, undefined);
  if (received.status === 503) {
    const other = await open({ Browser: OTHER_KIND });
    if (other.received.status === 200) return toReady(session, before, OTHER_KIND);
  }
  const words = typeof refusal.message === "string" ? refusal.message : "";
  const why = `The account can't open a browser: Open returned ${describe(received)}. ${words}`.trim();
  return { is: "failed", why: session.redact(why) };
}

function toReady({ budget }: Session, before: Lists, lightKind: number | undefined): Preflight {
  return { is: "ready", before, lightKind, opened: budget.opened };
}
