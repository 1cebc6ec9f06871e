import type { DevtoolsClient } from "./client.ts";

/** Attaches to a browser's first page. @returns The session id for commands to the page. */
export async function attachToPage(client: DevtoolsClient): Promise<string> {
  const { targetInfos } = await client.call("Target.getTargets");
  const page = (targetInfos as { type: string; targetId: string }[]).find(({ type }) => type === "page");
  if (page === undefined) throw new Error("The browser has no page.");
  const { sessionId } = await client.call("Target.attachToTarget", { targetId: page.targetId, flatten: true });
  return String(sessionId);
}

/** Evaluates an expression in a page. @throws {Error} When the result is undefined. */
export async function evaluate(client: DevtoolsClient, session: string, expression: string): Promise<unknown> {
  const { result } = await client.call("Runtime.evaluate", { expression, returnByValue: true }, session);
  const { value } = result as { value?: unknown };
  if (value === undefined) throw new Error(`${expression.slice(0, 80)} has no value.`);
  return value;
}
