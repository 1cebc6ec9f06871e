import type { Figure } from "./figure.ts";
import { renderMarkdown } from "./table.ts";

/** The page of the documentation with the table. */
export function renderDocument(machine: string, figures: readonly Figure[]): string {
  return `# Speed and memory

\`npm run bench -- --write\` measured these figures on ${machine}.

${renderMarkdown(figures)}
How to read the table:

- Each figure has a baseline from the same run. The service and its baselines are measured alternately in several rounds,
  and each round starts with a different one, so that other work on the machine affects all of them. \`Here\` and
  \`Baseline\` are medians of the rounds. \`Compared\` is the median of the differences per round, with the quartiles in
  brackets.
- A *raw start* is Chromium with the service's own switches, as an unprivileged user, from the start of its process until
  its first answer to \`Browser.getVersion\`. A *sandboxed start* is the same in the service's sandbox. Both run without the
  service. A *cold Open* starts with the HTTP request and includes everything: token, database, folder, proxy, sandbox,
  browser and gateway.
- A *raw start with Xvnc* is a graphical browser as you would start it by hand: an Xvnc without window manager and
  passwords, then Chromium. The clock starts with Xvnc's process.
- A *warm Open* starts with the HTTP request too. Before each round, the server has one warm browser with default options
  for each Open request, and all of them have been warm for at least a second. It starts their replacements after the
  clock has stopped. No browser starts during the raw starts.
- *Direct* is a connection to Chromium's own DevTools port, without gateway and sandbox. The client is the same for all
  connections: it encodes its frames before the clock starts, and counts the answers without parsing them.
- *The gateway alone* wakes two more processes for every call, one in each direction. On an idle machine in a deep sleep
  state it misses its target (+62 to +67 µs compared with 111 µs direct); on a busy machine it meets it (+33 to +39 µs
  compared with 71 µs). Two sockets that are only piped into each other in another process cost the same within 2 µs.
- *Desktops* are measured with a viewer that requests uncompressed pictures of 8.3 MB and doesn't show them. The first
  picture starts with the request to start the desktop, and ends when every pixel has arrived. A page answers a key by
  changing its whole colour. *Xvnc's own socket* belongs to the same screen; its time starts with the connection.
- The *server's* memory is the resident memory (RSS) of its own process. Browsers are other processes.
- *Open and Close requests in turn* open ChromeHeadlessShell without a warm browser; every tenth request takes a warm
  browser with default options and a screen. Before and after, no browser is open and one is warm: *displays* counts its
  Xvnc, *folders* its folder, *processes* all descendants of the server, and *descriptors* the server's open files and
  sockets.
- *Memory of an open browser* is the proportional memory (PSS) of all its processes: the mean of 4 browsers that have been
  open for 5 s or slightly longer, with a blank page. The raw ones are Chromium with the same switches, and Xvnc; *sandbox*
  is bubblewrap, shells and the two relays (socat) that connect the sandbox.
- A *bare Hono route* returns the same bytes as Get from a process of its own, without token and checks.
- *Ended browsers* were all open in the month that the pages show. A signed-in user requests the pages one at a time; the
  time is from the request to the last byte. *The slowest* is the dashboard page with the largest median. The file has one
  line per browser; the server writes a thousand lines at a time and answers other requests in between.
`;
}
