import type { RequestBody } from "../../contract/operation.ts";
import { toMs } from "../../domain/browser/open-options.ts";
import { type BrowserSelector, readSelector } from "../../domain/browser/selector.ts";
import { Failure } from "../../domain/failure.ts";
import { Mistakes } from "../../domain/mistakes.ts";
import type { BrowserChange, BrowserMatch } from "../../ports/fleet.ts";
import type { BrowserFilter } from "../../ports/store/usage-store.ts";

/** RFC 3339 section 5.6. T and Z may be lower case, and a space may replace the T. */
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** @throws {Failure} `BadRequest` for a key that the contract doesn't allow. */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined || /^[!-~]{1,255}$/.test(header)) return header;
  const message = "The Idempotency-Key must be 1 to 255 visible ASCII characters.";
  throw new Failure("BadRequest", message, { errors: [{ path: "", message }] });
}

/** @throws {Failure} `BadRequest` unless the body has a new value and exactly one of address and id. */
export function readUpdate(body: RequestBody<"updateBrowser">): {
  readonly selector: BrowserSelector;
  readonly change: BrowserChange;
} {
  const mistakes = new Mistakes();
  const selector = mistakes.attempt(() => readSelector(body));
  const change = mistakes.attempt(() => readChange(body));
  mistakes.throwIfAny();
  return { selector: selector ?? { id: "" }, change: change ?? {} };
}

function readChange({ keepOpen, lifetime, label, tags }: RequestBody<"updateBrowser">): BrowserChange {
  const change = {
    keepOpenMs: toOptionalMs(keepOpen),
    lifetimeMs: toOptionalMs(lifetime),
    label: label ?? undefined,
    tags: tags ?? undefined,
  };
  if (Object.values(change).every((value) => value === undefined))
    throw refusal("", "must have keepOpen, lifetime, label or tags");
  return change;
}

/** @throws {Failure} `BadRequest` unless exactly one member is present. */
export function readMatch({ label, tag, all }: RequestBody<"closeAllBrowsers">): BrowserMatch {
  const isOne = [label, tag, all].filter((value) => value !== undefined && value !== null).length === 1;
  if (!isOne) throw refusal("", "must have exactly one of label, tag and all");
  if (typeof label === "string") return { label };
  if (typeof tag === "string") return { tag };
  if (all !== true) throw refusal("/all", "must be true, or left out");
  return { all };
}

/** @throws {Failure} `BadRequest` for text that is not a date and time. */
export function readHistoryFilter({
  since,
  until,
  label,
  tag,
}: NonNullable<RequestBody<"getBrowserHistory">>): BrowserFilter {
  const mistakes = new Mistakes();
  const filter = {
    since: mistakes.attempt(() => readMoment("/since", since)),
    until: mistakes.attempt(() => readMoment("/until", until)),
    label: label ?? undefined,
    tag: tag ?? undefined,
  };
  mistakes.throwIfAny();
  return filter;
}

function readMoment(path: string, text: string | null | undefined): Date | undefined {
  if (text === undefined || text === null) return undefined;
  const moment = new Date(DATE_TIME.test(text) ? text.toUpperCase() : NaN);
  if (!Number.isNaN(moment.getTime())) return moment;
  throw refusal(path, `must be a date and time, such as 2026-03-14T09:26:53Z, not ${JSON.stringify(text)}`);
}

function toOptionalMs(seconds: number | null | undefined): number | undefined {
  return seconds === null || seconds === undefined ? undefined : toMs(seconds);
}

function refusal(path: string, message: string): Failure {
  const name = path === "" ? "the body" : path.slice(1);
  return new Failure("BadRequest", `The request is not valid: ${name} ${message}.`, { errors: [{ path, message }] });
}
