/** Around an answer in Markdown's form of code, which models like to give although they are told not to. */
const FENCE = "```";

/** JSON in an answer, as text and as what it says. */
export type JsonAnswer = { readonly json: string; readonly value: unknown };

/** @returns Undefined when the answer is not JSON. */
export function readValue(answer: string): JsonAnswer | undefined {
  const json = withoutFence(answer);
  try {
    return { json, value: JSON.parse(json) as unknown };
  } catch {
    return undefined;
  }
}

/** Without a regular expression: those that find a fence take minutes for an answer of many empty lines. */
function withoutFence(answer: string): string {
  const text = answer.trim();
  const firstEnd = text.indexOf("\n");
  if (firstEnd < 0 || !text.endsWith(FENCE)) return answer;
  const first = text.slice(0, firstEnd).trimEnd();
  return first === FENCE || first === `${FENCE}json` ? text.slice(firstEnd + 1, -FENCE.length) : answer;
}
