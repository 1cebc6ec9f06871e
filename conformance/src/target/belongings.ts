import { toObject } from "./json.ts";
import { NotApplicable } from "../registry/violation.ts";
import type { Devtools } from "./devtools.ts";
import { NoAnswer } from "./no-answer.ts";

/** DevTools' code for a command that it does not have. */
const NO_SUCH_COMMAND = -32_601;
/** Nothing is fetched from it. */
const SITE = "https://conformance.invalid/";

/** Sets a cookie of one and the same site. @throws {NotApplicable} When the browsers are not real ones. */
export async function setCookie(devtools: Devtools, name: string, value: string): Promise<void> {
  await ask(devtools, "Storage.setCookies", { cookies: [{ name, value, url: SITE }] });
}

/** Values of the cookies with that name. @throws {NotApplicable} When the browsers are not real ones. */
export async function cookieValues(devtools: Devtools, name: string): Promise<unknown[]> {
  const { cookies } = await ask(devtools, "Storage.getCookies");
  return toObjects(cookies).flatMap((cookie) => (cookie["name"] === name ? [cookie["value"]] : []));
}

/** Where the browser's pages are. @throws {NotApplicable} When the browsers are not real ones. */
export async function pageUrls(devtools: Devtools): Promise<unknown[]> {
  const { targetInfos } = await ask(devtools, "Target.getTargets");
  return toObjects(targetInfos).flatMap(({ type, url }) => (type === "page" ? [url] : []));
}

async function ask(devtools: Devtools, method: string, params: object = {}): Promise<Record<string, unknown>> {
  const outcome = await devtools.command(method, params);
  if ("result" in outcome) return outcome.result;
  const { code, message } = outcome.error;
  if (code === NO_SUCH_COMMAND) {
    throw new NotApplicable(`The browsers here do not know ${method}: this can only be seen on real ones.`);
  }
  throw new NoAnswer(`DevTools refused ${method}: ${message}`, { isReached: true });
}

function toObjects(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(toObject) : [];
}
