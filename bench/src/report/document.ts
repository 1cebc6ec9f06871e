import type { Figure } from "./figure.ts";
import { renderMarkdown } from "./table.ts";

/** The table as the documentation shows it. */
export function renderDocument(machine: string, figures: readonly Figure[]): string {
  return `# Speed and memory

What \`npm run bench -- --write\` measured on ${machine}.

${renderMarkdown(figures)}
How to read it:

- Each figure stands beside its baseline from the same run. The sides take turns, round after round, each round beginning
  with another one, so that whatever else the machine does meets all of them. \`Here\` and \`Baseline\` are medians of the
  rounds; \`Compared\` is the median of what the rounds' sides differ by, and in brackets between what half of the rounds
  lie.
- A *raw start* is Chromium with the service's own switches, as an unprivileged user, from the start of its process until
  its first answer to \`Browser.getVersion\`. A *jailed start* is the same in the service's own jail. Neither has the
  service around it. A *cold Open* begins with the HTTP request, and includes everything: token, books, folder, proxy,
  jail, browser, gateway.
- *Direct* is a connection to Chromium's own DevTools port, without gateway and jail. The client is the same on all ways:
  it makes its frames before the clock starts, and counts the answers without parsing them.
- *The gateway alone* is two more processes to wake for every call, one there and one back: on an idle machine that sleeps
  deeply it misses its target (+62 to +67 µs beside 111 µs direct), on a busy one it meets it (+33 to +39 µs beside 71 µs).
  Two sockets that are only piped into each other in a process of their own cost the same within 2 µs.
- Memory is what the server's own process holds in RAM (RSS). Browsers are processes of their own.
- A *bare Hono route* answers the same bytes as Get from a process of its own, with no token and no checks.
`;
}
