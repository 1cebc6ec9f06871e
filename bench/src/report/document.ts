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
  without the service. Its folder and its proxy exist before the measurement. So does the Xvnc of a graphical browser,
  which has no window manager and no passwords. A *raw start* lasts from the start of the process until its first answer
  to \`Browser.getVersion\`. The *raw loop* also waits until the browser has ended and its folder is removed.
- A *cold Open* starts with the HTTP request and includes everything: token, database, folder, proxy, screen, sandbox,
  browser and gateway.
- A *warm Open* also starts with the HTTP request. Before each round, the server has one warm browser with default
  options for each Open request, and all of them have been warm for at least a second. It starts their replacements
  after the clock has stopped. No browser starts during the raw starts.
- *BrowserArena* is a public comparison of hosted browsers. Its steps create a session, connect Playwright with
  \`connectOverCDP\`, load a page until \`domcontentloaded\`, and release the session. Here, client, service and page
  are on one machine, and the service has its default settings, so most browsers start cold when ten are opened at the
  same time. A round starts when no browser is starting. *Raw browsers* are started, connected to, used and killed. A
  *total* is the time of one session, and the last line shows the median of each step and compares the sums of these
  medians. Published totals are such sums: 374 to 2,650 ms for hosted services, which are a network away from their
  clients, and 224 ms that a self-hosted service published for itself.
- *RBS_WARM=auto* is measured with Open requests for twelve sets of options: three kinds of browsers with four lists of
  switches. Zipf's law with the exponent 1.1 says how often each set is used. The requests arrive at random (a Poisson
  process) at 20 % of the rate at which the machine opens and closes these browsers, which a loop measures first. Each
  browser is closed after its first answer. The share of warm browsers counts in the minute after five minutes of this
  load. It includes Open requests that waited for a warm browser that was starting. The memory is what the warm browsers
  use 15 s after the load.
- *Cold Open requests while it refills* come in addition, at half that rate, and each of them has options that were not used
  before. The server without warm browsers gets the same requests at the same times, in turn with the other one. There, all
  requests start browsers.
- *Direct* is a connection to Chromium's own DevTools port, without gateway and sandbox. The client is the same for all
  connections: it encodes its frames before the clock starts, and counts the answers without parsing them.
- A *bare splice* is a Node process that pipes its connections into connections to Chromium's own DevTools port, without
  looking at the bytes: the least that a relay in Node can add. The time that each relay adds is its median minus the
  median of a direct connection in the same round.
- A *front-end's* connections lead to a worker. The bare splice in its place pipes its connections into the worker's
  port. The time that each adds is its median minus the median of a connection to the worker in the same round.
- *Desktops* are measured with a viewer that requests uncompressed pictures of 8.3 MB and doesn't show them. The first
  picture starts with the request to start the desktop, and ends when every pixel has arrived. A page answers a key by
  changing its whole colour. *Xvnc's own socket* belongs to the same screen; its time starts with the connection.
- The *server's* memory is the proportional memory (PSS) of all its Node processes, and its growth is measured in the
  resident memory (RSS) of its own process. Browsers are other processes.
- *Open and Close requests in turn* open ChromeHeadlessShell without a warm browser; every tenth request takes a warm
  browser with default options and a screen. The counts are from before and after the loop, when no browser is open
  and one is warm: *displays* counts its Xvnc, *folders* its folder, *processes* all descendants of the server, and
  *descriptors* the server's open files and sockets.
- The *memory* and the *processes of an open browser* include everything that runs for it: Chromium, its screen, and
  *sandbox*, which is the rest. The memory is proportional (PSS), of the only browser on the machine, which has been
  open for 5 s with a blank page. Further browsers need less, because they share the memory of their programs. A raw
  graphical browser with its Xvnc also needs more than the target, which is older than this Chromium.
- A *bare Hono route* returns the same bytes as Get from a process of its own, without token and checks.
- *PostgreSQL* is Debian's PostgreSQL, with its own settings, on the same machine and disk.
- An *admission* is a call of the store that reserves a browser for a random account. It doesn't wait for the disk; opening the
  browser does. \`pgbench -N\` changes one of a million rows and adds another one, over as many connections, and waits for the
  disk. \`pg_test_fsync\` writes 8 kB at a time.
- A *bare Hono route with one query* reads an account by its key in addition, with as many connections to the database as the server.
  Requests that arrive at the same moment with the same token share one query of the server, so Get can be faster.
- A *front-end's* Get reads the browsers from the store, with one worker that has them. The account is read every 0.8 s.
- A *warm Open with PostgreSQL* lasts until its answer, without a client of the browser. Open makes two round trips, for the
  reservation and the opening, and waits for one sync. It makes a third one for a token that the server hasn't read for 0.8 s. A
  *round trip* is a single \`select 1\` from Node over a connection that has been idle since the round before, as the server's: in a
  loop, it would take a fifth of that. A *sync* is one write of \`pg_test_fsync\`.
- *Tables and indexes* belong to a store in simulated time, after a vacuum. 1,000 accounts have 3,000 browsers open at
  the same time, or 10,000 browsers the whole day. The minutes that start in a second are charged together, and a
  checkpoint follows every five minutes. To be fast, transactions don't wait for the disk
  (\`synchronous_commit = off\`), and vacuums begin every second (\`autovacuum_naptime = 1s\`) instead of every
  simulated minute. The growth in a day is the growth in the first hour plus 23 times the growth in the second hour.
  *Log* is the write-ahead log. *HOT* updates change no index.
- *Ended browsers* were all open in the month that the pages show. A signed-in user requests the pages one at a time; the
  time is from the request to the last byte. *The slowest* is the dashboard page with the largest median. The file has one
  line per browser; the server writes a thousand lines at a time and answers other requests in between.
- In *a million ended browsers*, the signed-in user has 100,000 browsers in the month that the pages show, and 1,000
  other accounts have 900 each.
- *A raw browser without a proxy* connects to the bench's site itself, over the loopback interface and without a limit.
  No network is that fast: there, a proxy that copies bytes in a process costs the most, because site, proxy, Chromium's
  network and the page share two processors. 100 MB by HTTPS take 65 ms of the server's processor time, so one processor
  can transfer more than 10 Gbit/s. By plain HTTP, which the server reads and writes again, they take 300 ms, and each
  of a page's 200 images 0.35 ms. The processors' control group lowers the HTTPS figure by 0.06 to 0.1: on two busy
  processors, the kernel gives the site and the server more time than the browser. Without it, the figure is 0.90 to
  0.96.
- *The slowest DevTools call* is the slowest of the calls that are made one after another for one second. The *attacking
  page* begins just before, in a browser of the same account. Other accounts notice less, because accounts get equal
  shares of the processors.

## Where the time of a start goes

Milliseconds from the beginning of a cold start, measured inside the server, medians of nine starts on an idle machine of the
kind named above:

| Reached | headless | ChromeHeadlessShell | graphical |
| --- | --- | --- | --- |
| Chromium runs in a prepared sandbox | 2 | 1 | 2 |
| Chromium listens for DevTools | 175 | 94 | 230 |
| Chromium answers HTTP requests | 275 | 110 | 354 |
| Chromium answers the first command | 307 | 127 | 394 |
| the same without prepared sandboxes | 316 | 131 | 455 |

- Without prepared sandboxes, Chromium runs after 11 ms. A screen, which starts at the same time as a graphical browser, takes
  50 ms more.
- Without prepared sandboxes, the limits of a browser add 2 to 4 ms to its start: the control groups 0.7 ms, the filter for
  system calls 0.7 ms, the folders that are hidden 1.1 ms, and the shell that enters the groups 2 ms of processor time.
- Chromium itself takes nearly all of the rest. A raw browser takes it as well, so a cold Open can't take 0.80 or 0.85
  of a raw start. Both save 25 to 30 ms because Chromium's network code runs in the main process, and its crash handlers
  don't run.
- Between listening and answering, Chromium opens its first window on the thread that also answers. With \`--no-startup-window\`
  it would answer 100 ms earlier, and clients would have to open that window first.
- A raw browser takes the same time for the same steps, and more for its files, which are on a disk. The files of a
  sandbox are in memory. That is why a cold Open can be faster than a raw start.
- Closing takes 35 ms, which the kernel needs to end the browser's processes.
- A turn of the open → close loop takes 220 ms of processor time, 35 ms of which are the server's, the broker's and
  bubblewrap's.
- A client that uses the existing page instead of opening another one saves 60 ms, or 35 ms with ChromeHeadlessShell.
`;
}
