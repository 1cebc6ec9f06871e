import type { Exchange } from "../target/exchange.ts";
import { describe, expectRefusal, expectSuccess, expectThat, toErrorBody } from "../session/expect.ts";
import { toObject } from "../target/json.ts";
import type { Run } from "../session/run.ts";
import { sendWithRetries } from "../session/account.ts";
import { NotOffered, Undecidable } from "../target/violation.ts";

/** Errors that concern the account, not the options. */
const OF_THE_ACCOUNT: ReadonlySet<unknown> = new Set(["NoSubscription", "NoUnits", "BrowserLimit", "TooManyRequests"]);

/** Options for an inexpensive browser with the run's label and a limited KeepOpen. */
export function ownOptions({ newLabel, keepOpenS }: Run): { Label: string; KeepOpen: number; Headless: boolean } {
  return { Label: newLabel(), KeepOpen: keepOpenS, Headless: true };
}

/**
 * Opens a browser with valid options, in addition to `ownOptions`.
 * @returns The browser's address.
 * @throws {Violation} If the server rejects the options.
 */
export function expectAccepted(run: Run, options: object): Promise<string> {
  const isOfSomeKind = Object.keys(options).some((name) => /^(headless|browser)$/i.test(name));
  const all = { ...ownOptions(run), ...(isOfSomeKind ? {} : run.lightest), ...options };
  return expectOpened(() => run.main.open(all));
}

/**
 * Opens a browser. Retries while the machine is full.
 * @param send Sends a valid Open request.
 * @returns The browser's address.
 * @throws {Violation} If the server rejects the request.
 * @throws {Undecidable} If the account or the machine prevents the browser from opening.
 * @throws {NotOffered} If the deployment lacks graphical browsers of this kind.
 */
export async function expectOpened(send: () => Promise<Exchange>): Promise<string> {
  const exchange = await sendWithRetries(send);
  const { received } = exchange;
  if (lacksGraphical(exchange)) {
    throw new NotOffered("graphical", `Open returned ${describe(received)} without Retry-After.`);
  }
  if (received.status === 503 || OF_THE_ACCOUNT.has(toErrorBody(received.json).name)) {
    throw new Undecidable(`Open returned ${describe(received)}, which does not show whether the options are valid.`);
  }
  const { address } = expectSuccess(exchange);
  expectThat(typeof address === "string", "an address", `${describe(received)} without one`);
  return address;
}

/**
 * Sends an Open request with invalid options, in addition to `ownOptions`. Undefined removes an option.
 * @throws {Violation} If the response isn't a `BadRequest` that names all `places`.
 */
export async function expectRefused(run: Run, options: object, ...places: readonly string[]): Promise<void> {
  expectRefusal(await run.main.open({ ...ownOptions(run), ...options }), "BadRequest", ...places);
}

/** Whether the deployment has no graphical browser for this Open request, so that retries would fail. */
function lacksGraphical({ sent, received }: Exchange): boolean {
  if (received.status !== 503 || received.headers["retry-after"] !== undefined) return false;
  const { Headless, headless = Headless } = toObject(JSON.parse(sent.body ?? "{}"));
  return headless !== true;
}
