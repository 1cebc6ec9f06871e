import { parse } from "../../target/json.ts";

/**
 * Indents JSON but keeps its tokens, because a finding may concern a large number or a duplicate member.
 * @returns The indented JSON, or the text unchanged if it is not JSON.
 */
export function indentJson(text: string): string {
  if (parse(text) === undefined) return text;
  let depth = 0;
  const line = (): string => `\n${"  ".repeat(depth)}`;
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  return tokens
    .map((token, index) => {
      const isEmpty = /^[[{]$/.test(tokens[index - 1] ?? "");
      switch (token) {
        case "{":
        case "[":
          depth += 1;
          return /^[\]}]$/.test(tokens[index + 1] ?? "") ? token : `${token}${line()}`;
        case "}":
        case "]":
          depth -= 1;
          return isEmpty ? token : `${line()}${token}`;
        case ",":
          return `,${line()}`;
        case ":":
          return ": ";
        default:
          return token;
      }
    })
    .join("");
}
