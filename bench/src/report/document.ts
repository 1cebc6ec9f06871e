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
- A *raw start with Xvnc* is a graphical browser as one starts it by hand: an Xvnc without window manager and passwords, and
  Chromium as soon as that is up; the clock runs from the start of Xvnc's process.
- A *warm Open* begins with the HTTP request as well. As many browsers of the default options as are opened stand ready, for
  a second at least; the next ones are started after the clock has stopped. Raw starts run beside them, and beside nothing
  that starts.
- *Direct* is a connection to Chromium's own DevTools port, without gateway and jail. The client is the same on all ways:
  it makes its frames before the clock starts, and counts the answers without parsing them.
- *The gateway alone* is two more processes to wake for every call, one there and one back: on an idle machine that sleeps
  deeply it misses its target (+62 to +67 µs beside 111 µs direct), on a busy one it meets it (+33 to +39 µs beside 71 µs).
  Two sockets that are only piped into each other in a process of their own cost the same within 2 µs.
- *Desktops* are measured with a viewer that asks for pictures uncompressed, 8.3 MB each, and does not show them. The first
  one begins with the request to start the desktop, and is over when every pixel has arrived; a key is answered by a page
  whose whole colour changes. *Xvnc's own socket* belongs to the same screen; the connection to it has no start before it.
- The *server's* memory is what its own process holds in RAM (RSS). Browsers are processes of their own.
- *Opens and Closes in turn* are cold ones of ChromeHeadlessShell, and each tenth a warm one of the default options with its
  screen. Before and after, no browser is open and one stands ready: *displays* are its Xvnc, *folders* its own, *processes*
  all that the server has started, *descriptors* the server's files and sockets.
- *Memory of an open browser* is that of all its processes, what several share counted in equal parts (PSS): a mean over 4
  that have been open for 5 s or a little more, with a blank page. The raw ones are Chromium with the same switches, and Xvnc; *jail* is
  bubblewrap, shells and the two relays (socat) that lead in and out.
- A *bare Hono route* answers the same bytes as Get from a process of its own, with no token and no checks.
- *Ended browsers* all lived in the month that is shown. Pages are asked for one at a time by who is signed in, and timed from
  the request to the last byte; *the slowest* is the one of all a member's pages whose median is the largest. The file has a
  line for each browser; it is written a thousand lines at a time, and other requests are answered in between.
`;
}
