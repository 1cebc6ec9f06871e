import { expect, test } from "vitest";
import { readValue } from "./query-wording.ts";

test.each<[string, unknown]>([
  ["[1]", [1]],
  ["\n```json\n[1]\n```\n", [1]],
  ["```\r\n[1]\r\n```", [1]],
  ["```json \n\n[1]\n\n  ```  ", [1]],
  ['"```\\n1\\n```"', "```\n1\n```"],
])("the value in %j is found", (answer, value) => {
  expect(readValue(answer)?.value).toEqual(value);
});

test.each(["", "```", "```json", "```json\n```", "```json\n", "```js\n[1]\n```", "Here:\n```\n[1]\n```", "```\n[1]"])(
  "%j is not JSON",
  (answer) => {
    expect(readValue(answer)).toBeUndefined();
  },
);

test.each([
  ["of empty lines", "\n".repeat(500_000)],
  ["of empty lines in a fence", `\`\`\`json\n${"\n".repeat(500_000)}x`],
  ["of fences", "```\n".repeat(200_000)],
])("reading a long answer %s takes linear time", (_what, answer) => {
  const startedAt = performance.now();
  expect(readValue(answer)).toBeUndefined();
  expect(performance.now() - startedAt).toBeLessThan(500);
});
