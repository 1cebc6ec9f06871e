import { toShellWord } from "../../kit/format.ts";
import type { Tool } from "./tool.ts";

export const curl: Tool = {
  id: "curl",
  name: "curl",
  needs: "Requires a shell and curl.",
  // The blocks contain no comments, because zsh, the default shell on macOS, rejects comments at its prompt.
  toBlocks: (url) => [
    { id: "program", title: "Open a browser that stays open for 5 minutes without a client", text: toProgram(url) },
    {
      id: "watch",
      title: "See the browser's screen: open the url from the response",
      text: `${post(url, "StartRemoteDesktop", BY_ADDRESS)}\n`,
    },
    { id: "list", title: "List your open browsers", text: toList(url) },
    { id: "end", title: "Close the browser", text: `${post(url, "Close", BY_ADDRESS)}\n` },
  ],
};

function toProgram(url: string): string {
  return `answer=$(${post(url, "Open", `'{"Label": "quick start", "KeepOpen": 300}'`)})
address=$(printf '%s' "$answer" | sed -n 's/.*"address":"\\([^"]*\\)".*/\\1/p')
printf '%s\\n' "$answer"
`;
}

function toList(url: string): string {
  return `curl -sS ${toShellWord(`${url}/api/v1/Browser/Get`)} -H "Authorization: Bearer $RBS_TOKEN"\n`;
}

const BY_ADDRESS = String.raw`"{\"address\": \"$address\"}"`;

/** @param data A shell word. */
function post(url: string, operation: string, data: string): string {
  return `curl -sS ${toShellWord(`${url}/api/v1/Browser/${operation}`)} \\
  -H "Authorization: Bearer $RBS_TOKEN" -H "Content-Type: application/json" \\
  -d ${data}`;
}
