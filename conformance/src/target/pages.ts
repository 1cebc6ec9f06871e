import { toObject } from "./json.ts";
import { NotApplicable } from "../registry/violation.ts";
import type { Devtools } from "./devtools.ts";
import { NoAnswer } from "./no-answer.ts";

/** DevTools' code for a command that it does not have. */
const NO_SUCH_COMMAND = -32_601;

/** A page of a browser. Disposing closes it. */
export type Page = AsyncDisposable & {
  /**
   * @param expression JavaScript; a promise is waited for.
   * @returns Its value, as JSON.
   * @throws {NotApplicable} When the deployment's browsers have no real pages.
   */
  evaluate(expression: string): Promise<unknown>;
};

/**
 * Opens a page, and waits for nothing but that it is there.
 * @param url Something without a network: `about:blank`, `data:…`.
 * @throws {NotApplicable} When the deployment's browsers have no real pages.
 */
export async function openPage(devtools: Devtools, url = "about:blank"): Promise<Page> {
  const call = async (method: string, params: object, sessionId?: string): Promise<Record<string, unknown>> => {
    const outcome = await devtools.command(method, params, sessionId);
    if ("result" in outcome) return outcome.result;
    const { code, message } = outcome.error;
    if (code === NO_SUCH_COMMAND) {
      throw new NotApplicable(`The browsers here do not know ${method}: this can only be seen on real pages.`);
    }
    throw new NoAnswer(`DevTools refused ${method}: ${message}`, { isReached: true });
  };
  const { targetId } = await call("Target.createTarget", { url });
  const { sessionId } = await call("Target.attachToTarget", { targetId, flatten: true });
  return {
    async evaluate(expression) {
      const params = { expression, awaitPromise: true, returnByValue: true };
      const { result, exceptionDetails } = await call("Runtime.evaluate", params, String(sessionId));
      if (exceptionDetails !== undefined) throw new Error(`The page threw at ${expression}.`);
      return toObject(result)["value"];
    },
    async [Symbol.asyncDispose]() {
      // A page that is gone already is as good as one that is closed.
      await devtools.command("Target.closeTarget", { targetId }).catch(() => {});
    },
  };
}
