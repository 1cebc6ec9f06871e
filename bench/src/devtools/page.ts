import type { DevtoolsClient } from "./client.ts";

/** Attaches to the page that a browser begins with. @returns The session to send its commands with. */
export async function attachToPage(client: DevtoolsClient): Promise<string> {
  const { targetInfos } = await client.call("Target.getTargets");
  const page = (targetInfos as { type: string; targetId: string }[]).find(({ type }) => type === "page");
  if (page === undefined) throw new Error("The browser has no page.");
  const { sessionId } = await client.call("Target.attachToTarget", { targetId: page.targetId, flatten: true });
  return String(sessionId);
}

/** Evaluates in a page. @returns The value. @throws {Error} When it is none. */
export async function evaluate(client: DevtoolsClient, session: string, expression: string): Promise<unknown> {
  const { result } = await client.call("Runtime.evaluate", { expression, returnByValue: true }, session);
  const { value } = result as { value?: unknown };
  if (value === undefined) throw new Error(`${expression.slice(0, 80)} has no value.`);
  return value;
}
