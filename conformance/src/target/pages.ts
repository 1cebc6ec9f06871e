import { toObject } from "./json.ts";
import { NotApplicable } from "./violation.ts";
import type { Devtools } from "./devtools.ts";
import { NoAnswer } from "./no-answer.ts";

/** The DevTools error code for an unknown command. */
const NO_SUCH_COMMAND = -32_601;
/** The URL that all cookies are set for. Rules never load it. */
const SITE = "https://conformance.invalid/";

/** A browser page. Disposing closes it. */
export type Page = AsyncDisposable & {
  /**
   * @param expression A JavaScript expression. If its result is a promise, the promise is awaited.
   * @returns The result, as JSON.
   * @throws {NotApplicable} If the deployment's browsers have no real pages.
   */
  evaluate(expression: string): Promise<unknown>;
};

/**
 * Opens a page, without waiting for it to load.
 * @param url A URL that needs no network: `about:blank`, `data:…`.
 * @throws {NotApplicable} If the deployment's browsers have no real pages.
 */
export async function openPage(devtools: Devtools, url = "about:blank"): Promise<Page> {
  const { targetId } = await call(devtools, "Target.createTarget", { url });
  return {
    evaluate: await attach(devtools, targetId),
    async [Symbol.asyncDispose]() {
      // The page may already be closed.
      await devtools.command("Target.closeTarget", { targetId }).catch(() => {});
    },
  };
}

/**
 * Evaluates JavaScript in the browser's initial page.
 * @throws {NotApplicable} If the deployment's browsers have no real pages.
 */
export async function evaluateOnFirstPage(devtools: Devtools, expression: string): Promise<unknown> {
  const { targetInfos } = await call(devtools, "Target.getTargets");
  const page = toObjects(targetInfos).find(({ type }) => type === "page");
  if (page === undefined) throw new NoAnswer("The browser has no page.", { isReached: true });
  const evaluate = await attach(devtools, page["targetId"]);
  return await evaluate(expression);
}

/**
 * Navigates to a URL in a new page.
 * @returns What the page shows: the network error, or the title and text of the response, which may be an error page.
 * @throws {NotApplicable} If the deployment's browsers have no real pages.
 */
export async function outcomeOf(devtools: Devtools, url: string): Promise<string> {
  const { targetId } = await call(devtools, "Target.createTarget", { url: "about:blank" });
  const { sessionId } = await call(devtools, "Target.attachToTarget", { targetId, flatten: true });
  const { errorText } = await call(devtools, "Page.navigate", { url }, String(sessionId));
  if (typeof errorText === "string") return errorText;
  const evaluate = await attach(devtools, targetId);
  return String(await evaluate("`${document.title}: ${document.body?.innerText ?? ''}`"));
}

async function attach(devtools: Devtools, targetId: unknown): Promise<Page["evaluate"]> {
  const { sessionId } = await call(devtools, "Target.attachToTarget", { targetId, flatten: true });
  return async (expression) => {
    const params = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await call(devtools, "Runtime.evaluate", params, String(sessionId));
    if (exceptionDetails !== undefined) throw new Error(`The page threw an error while evaluating ${expression}.`);
    return toObject(result)["value"];
  };
}

/** Sets a cookie, always for the same site. @throws {NotApplicable} If the browsers do not support cookies. */
export async function setCookie(devtools: Devtools, name: string, value: string): Promise<void> {
  await call(devtools, "Storage.setCookies", { cookies: [{ name, value, url: SITE }] });
}

/** Returns the values of all cookies with this name. @throws {NotApplicable} If cookies are not supported. */
export async function cookieValues(devtools: Devtools, name: string): Promise<unknown[]> {
  const { cookies } = await call(devtools, "Storage.getCookies");
  return toObjects(cookies).flatMap((cookie) => (cookie["name"] === name ? [cookie["value"]] : []));
}

/** Returns the URLs of the browser's pages. @throws {NotApplicable} If the deployment's browsers have no real pages. */
export async function pageUrls(devtools: Devtools): Promise<unknown[]> {
  const { targetInfos } = await call(devtools, "Target.getTargets");
  return toObjects(targetInfos).flatMap(({ type, url }) => (type === "page" ? [url] : []));
}

async function call(
  devtools: Devtools,
  method: string,
  params: object = {},
  sessionId?: string,
): Promise<Record<string, unknown>> {
  const outcome = await devtools.command(method, params, sessionId);
  if ("result" in outcome) return outcome.result;
  const { code, message } = outcome.error;
  if (code === NO_SUCH_COMMAND) {
    throw new NotApplicable(`This deployment's browsers do not support ${method}. This rule needs real browsers.`);
  }
  throw new NoAnswer(`DevTools rejected ${method}: ${message}`, { isReached: true });
}

function toObjects(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(toObject) : [];
}
