import { toShellWord } from "../../kit/shell-word.ts";
import type { Way } from "./way.ts";

export const curl: Way = {
  id: "curl",
  name: "curl",
  needs: "A shell and curl, which most systems have.",
  // No comments: the shell of macOS takes none at its prompt, and an apostrophe in one would swallow what follows.
  toBlocks: (url) => [
    { id: "program", title: "Open a browser that stays for 5 minutes when nobody is connected", text: toProgram(url) },
    {
      id: "watch",
      title: "See its screen: open the answer's url",
      text: `${post(url, "StartRemoteDesktop", BY_ADDRESS)}\n`,
    },
    { id: "list", title: "List what is open", text: toList(url) },
    { id: "end", title: "Close it", text: `${post(url, "Close", BY_ADDRESS)}\n` },
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

/** @param data As a word of the shell. */
function post(url: string, operation: string, data: string): string {
  return `curl -sS ${toShellWord(`${url}/api/v1/Browser/${operation}`)} \\
  -H "Authorization: Bearer $RBS_TOKEN" -H "Content-Type: application/json" \\
  -d ${data}`;
}
