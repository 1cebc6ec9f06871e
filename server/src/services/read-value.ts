/** An answer in Markdown's form of code, which models like to give although they are told not to. */
const FENCE = /^\s*```(?:json)?[ \t]*\n(.*)\n\s*```\s*$/s;

/** JSON in an answer, as text and as what it says. */
export type JsonAnswer = { readonly json: string; readonly value: unknown };

/** @returns Undefined when the answer is not JSON. */
export function readValue(answer: string): JsonAnswer | undefined {
  const json = FENCE.exec(answer)?.[1] ?? answer;
  try {
    return { json, value: JSON.parse(json) as unknown };
  } catch {
    return undefined;
  }
}
