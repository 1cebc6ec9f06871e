import type { Exchange } from "../target/exchange.ts";
import { describe, expectRefusal, expectSuccess, expectThat, toErrorBody } from "../run/expect.ts";
import { toObject } from "../target/json.ts";
import type { Run } from "../run/run.ts";
import { sendWithRetries } from "../run/send-with-retries.ts";
import { NotApplicable, Undecidable } from "../registry/violation.ts";

/** Refusals that are about the account, whatever the options are. */
const OF_THE_ACCOUNT: ReadonlySet<unknown> = new Set(["NoSubscription", "NoUnits", "BrowserLimit", "TooManyRequests"]);

/** Options that make a browser cheap, known as the run's own, and gone soon if nobody closes it. */
export function ownOptions({ newLabel, keepOpenS }: Run): { Label: string; KeepOpen: number; Headless: boolean } {
  return { Label: newLabel(), KeepOpen: keepOpenS, Headless: true };
}

/**
 * Opens with options that the contract allows, beside those of `ownOptions`.
 * @returns The address.
 * @throws {Violation} When they are refused.
 */
export function expectAccepted(run: Run, options: object): Promise<string> {
  const isOfSomeKind = Object.keys(options).some((name) => /^(headless|browser)$/i.test(name));
  const all = { ...ownOptions(run), ...(isOfSomeKind ? {} : run.lightest), ...options };
  return expectOpened(() => run.main.open(all));
}

/**
 * @param send Sends an Open that the contract allows; again when the machine is full.
 * @returns The address.
 * @throws {Violation} When it is refused. @throws {Undecidable} When something else stands in its way.
 * @throws {NotApplicable} When it is a graphical one of a kind that the deployment does not have.
 */
export async function expectOpened(send: () => Promise<Exchange>): Promise<string> {
  const exchange = await sendWithRetries(send);
  const { received } = exchange;
  if (lacksGraphical(exchange)) {
    throw new NotApplicable(`Open answered ${describe(received)} for good: there is no such graphical browser here.`);
  }
  if (received.status === 503 || OF_THE_ACCOUNT.has(toErrorBody(received.json).name)) {
    throw new Undecidable(`Open answered ${describe(received)}, which says nothing about the options sent.`);
  }
  const { address } = expectSuccess(exchange);
  expectThat(typeof address === "string", "an address", `${describe(received)} without one`);
  return address;
}

/**
 * Opens with options that are wrong in these places, beside those of `ownOptions`, of which undefined leaves one out.
 * @throws {Violation} Unless that is a `BadRequest` that names every one of the places.
 */
export async function expectRefused(run: Run, options: object, ...places: readonly string[]): Promise<void> {
  expectRefusal(await run.main.open({ ...ownOptions(run), ...options }), "BadRequest", ...places);
}

/** Whether that was an Open of a graphical browser, and waiting for it is of no use. */
function lacksGraphical({ sent, received }: Exchange): boolean {
  if (received.status !== 503 || received.headers["retry-after"] !== undefined) return false;
  const { Headless, headless = Headless } = toObject(JSON.parse(sent.body ?? "{}"));
  return headless !== true;
}
