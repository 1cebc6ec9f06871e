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
- *Raw* is Chromium with the service's own switches, started by hand: as an unprivileged user, without a sandbox and
  without the service. Its folder and its proxy exist before, and so does the Xvnc of a graphical browser, which has no
  window manager and no passwords. A *raw start* lasts from the start of the process until its first answer to
  \`Browser.getVersion\`. The *raw loop* also waits until the browser has ended and its folder is removed.
- A *cold Open* starts with the HTTP request and includes everything: token, database, folder, proxy, screen, sandbox,
  browser and gateway.
- A *warm Open* starts with the HTTP request too. Before each round, the server has one warm browser with default options
  for each Open request, and all of them have been warm for at least a second. It starts their replacements after the
  clock has stopped. No browser starts during the raw starts.
- *Direct* is a connection to Chromium's own DevTools port, without gateway and sandbox. The client is the same for all
  connections: it encodes its frames before the clock starts, and counts the answers without parsing them.
- A *bare splice* is a Node process that pipes its connections into connections to Chromium's own DevTools port, without
  looking at the bytes: the least that a relay in Node can add. The time that each relay adds is its median minus the
  direct one's, in the same round.
- *Desktops* are measured with a viewer that requests uncompressed pictures of 8.3 MB and doesn't show them. The first
  picture starts with the request to start the desktop, and ends when every pixel has arrived. A page answers a key by
  changing its whole colour. *Xvnc's own socket* belongs to the same screen; its time starts with the connection.
- The *server's* memory is the proportional memory (PSS) of all its Node processes, and its growth is that of the resident
  memory (RSS) of its own process. Browsers are other processes.
- *Open and Close requests in turn* open ChromeHeadlessShell without a warm browser; every tenth request takes a warm
  browser with default options and a screen. Before and after, no browser is open and one is warm: *displays* counts its
  Xvnc, *folders* its folder, *processes* all descendants of the server, and *descriptors* the server's open files and
  sockets.
- The *memory* and the *processes of an open browser* are those of everything that runs for it: Chromium, its screen, and
  *sandbox*, which is the rest. The memory is proportional (PSS), of the only browser on the machine, which has been open
  for 5 s with a blank page. Further browsers need less, because they share the memory of their programs.
- A *bare Hono route* returns the same bytes as Get from a process of its own, without token and checks.
- *Ended browsers* were all open in the month that the pages show. A signed-in user requests the pages one at a time; the
  time is from the request to the last byte. *The slowest* is the dashboard page with the largest median. The file has one
  line per browser; the server writes a thousand lines at a time and answers other requests in between.
`;
}
