import { once } from "node:events";
import { readFileSync, readlinkSync } from "node:fs";
import { type Server, createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { type AddressInfo, type Socket, connect } from "node:net";
import swaggerUi from "swagger-ui-dist/package.json" with { type: "json" };
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../support/servers/call.ts";
import { type DevtoolsClient, connectDevtools, openPage } from "../support/browsers/devtools-client.ts";
import { warm, watchOthers } from "../support/servers/others.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { until } from "../support/until.ts";
import { type RealServer, startServer } from "../support/servers/real-server.ts";
import { descendants, listProcesses } from "../support/machine/processes.ts";
import { variant } from "../support/variants.ts";

const MIB = 2 ** 20;
const SHELL = { Browser: 3 };

/** Sample sizes for other users' experience during an attack: browser calls and opened browsers. */
const [CALLS, OPENS] = [20, 2];

let server: RealServer;
let site: Server;
let origin: string;

beforeAll(async () => {
  server = await startServer({
    settings: { RBS_EGRESS: "any", RBS_BROWSER_MEMORY_MB: "512", RBS_BROWSER_DISK_MB: "128" },
  });
  site = createServer((request, response) => {
    if (request.url?.startsWith("/endless") !== true)
      return void response.setHeader("Content-Type", "text/html").end("<title>page</title>");
    response.setHeader("Content-Disposition", "attachment; filename=endless");
    const chunk = Buffer.alloc(MIB, "x");
    const write = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", write);
    write();
  });
  site.listen(0, "127.0.0.1");
  await once(site, "listening");
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});

afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await server[Symbol.asyncDispose]();
});

/** Checks that other users are not affected during an attack. */
async function expectOthersServed(by = server): Promise<void> {
  const neighbour = await by.open(SHELL);
  await using client = await connectDevtools(neighbour);
  const evaluate = await openPage(client, "about:blank");
  for (let call = 1; call <= CALLS; call += 1) expect(await evaluate(`${call} * 2`)).toBe(call * 2);
  for (let open = 1; open <= OPENS; open += 1) await by.close(await by.open(SHELL));
  await by.close(neighbour);
}

/**
 * The number of a page's connections to a site, and the maximum bytes that the kernel buffers for each, counting the
 * page's end and the proxy's end.
 */
const [UNREAD, MAX_HELD] = [6, 1.25 * MIB];

/**
 * Returns the bytes that the kernel buffers for TCP connections in all sandboxes (see proc_net_tcp in the kernel's
 * documentation).
 */
function readHeld(serverPid: number): number {
  const networks = new Map<string, number>();
  for (const { pid } of descendants(listProcesses(), serverPid)) networks.set(readlinkSync(`/proc/${pid}/ns/net`), pid);
  networks.delete(readlinkSync("/proc/self/ns/net"));
  const queues = [...networks.values()].flatMap((pid) => {
    const lines = readFileSync(`/proc/${pid}/net/tcp`, "latin1").matchAll(/ 0[1-9] (\w{8}):(\w{8}) /g);
    return [...lines].flatMap(([, sending = "", received = ""]) => [sending, received]);
  });
  return queues.reduce((sum, bytes) => sum + Number.parseInt(bytes, 16), 0);
}

/**
 * A browser whose page attacks the service. Disposing it closes the browser if it is still open, and checks that
 * nothing is left behind.
 */
type Attacker = AsyncDisposable & {
  readonly client: DevtoolsClient;
  /** Resolves when a download has failed. */
  readonly downloadFailed: Promise<void>;
  /** The result of the attack's expression. Rejects if the browser closes first. */
  readonly value: Promise<unknown>;
};

/** Runs an expression in a page of a new browser, without waiting for its value. */
async function attack(expression: string): Promise<Attacker> {
  const address = await server.open(SHELL);
  const client = await connectDevtools(address);
  const { promise: downloadFailed, resolve } = Promise.withResolvers<void>();
  client.socket.on("message", (data: Buffer) => {
    if (data.includes('"state":"canceled"')) resolve();
  });
  const downloads = { behavior: "allow", downloadPath: "/home/browser/downloads", eventsEnabled: true };
  await client.command("Browser.setDownloadBehavior", downloads);
  const evaluate = await openPage(client, origin);
  const value = evaluate(expression);
  value.catch(() => {});
  return {
    client,
    downloadFailed,
    value,
    async [Symbol.asyncDispose]() {
      await server.post("Close", { address });
      await client.closed;
      await expectNothingHeld(server);
    },
  };
}

test("a page that allocates endlessly loses its browser without affecting other users", async () => {
  await using attacker = await attack("const all = []; while (true) all.push(new Uint8Array(2 ** 24).fill(1))");
  await expectOthersServed();
  expect(await attacker.client.closed).toEqual({ code: 1011, reason: "browser closed: memory" });
});

variant.each([
  [
    "starts workers endlessly",
    async () => {},
    `const url = URL.createObjectURL(new Blob(["while (true);"]));
     (async () => { while (true) { new Worker(url); await new Promise((next) => setTimeout(next)); } })()`,
  ],
  [
    "fills its storage",
    // Either Chromium or the file system refuses the write.
    async ({ value }: Attacker) => expect(await value).toMatch(/^(?:QuotaExceeded|Abort)Error$/),
    `(async () => {
       const folder = await navigator.storage.getDirectory();
       try {
         for (let file = 0; ; file += 1) {
           const handle = await folder.getFileHandle(String(file), { create: true });
           const stream = await handle.createWritable();
           await stream.write(new Uint8Array(2 ** 24));
           await stream.close();
         }
       } catch (error) {
         return error.name;
       }
     })()`,
  ],
  [
    "downloads endlessly",
    ({ downloadFailed }: Attacker) => downloadFailed,
    `for (let file = 0; file < 4; file += 1) {
       const link = Object.assign(document.createElement("a"), { href: "/endless?" + file, download: "x" + file });
       document.body.append(link);
       link.click();
     }
     new Promise(() => {})`,
  ],
  [
    "leaves its connections unread",
    async ({ value }: Attacker) => {
      expect(await value).toBe(UNREAD);
      let before = -1;
      // The kernel's buffers are full when the amount of buffered data stops changing.
      const isFull = (held: number): boolean => before === (before = held);
      const held = await until(() => readHeld(server.pid), isFull);
      expect(held).toBeLessThan(UNREAD * MAX_HELD);
    },
    // The kernel allocates larger buffers to connections that read fast in the beginning.
    `(async () => {
       const read = async (_, at) => {
         const reader = (await fetch("/endless?" + at)).body.getReader();
         globalThis["reader" + at] = reader;
         for (let bytes = 0; bytes < 5e6;) bytes += (await reader.read()).value.length;
       };
       return (await Promise.all(Array.from({ length: ${UNREAD} }, read))).length;
     })()`,
  ],
])("other users are not affected by a page that %s", async (_, whenAtLimit, expression) => {
  await using attacker = await attack(expression);
  await expectOthersServed();
  await whenAtLimit(attacker);
});

/**
 * The connection limit of a server with 512 descriptors, and how many connections from one address may wait for their
 * clients.
 */
const [CONNECTIONS, OF_ADDRESS] = [256, 64];

const FORM = [
  "POST /sign-in HTTP/1.1",
  "Host: localhost",
  "Origin: http://localhost",
  "Content-Type: application/x-www-form-urlencoded",
  "Content-Length: 60000",
  "\r\nemail=",
].join("\r\n");

const LARGE_FILE = `/assets/swagger-ui/${swaggerUi.version}/swagger-ui-bundle.js`;

/** Opens unauthenticated connections from several addresses, no faster than the server accepts them. */
async function connectStrangers(
  { url }: RealServer,
  { count, network, addresses, text }: { count: number; network: number; addresses: number; text: string },
): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let at = 0; at < count; at += 1) {
    const localAddress = `127.0.${network}.${at % addresses}`;
    const socket = connect({ host: url.hostname, port: Number(url.port), localAddress }).on("error", () => {});
    sockets.push(socket);
    socket.write(text);
    // A separate connection, which the server accepts only after the previous connections.
    if (at % 20 === 0) await send(new URL("/healthz", url), "GET");
  }
  return sockets;
}

test("other users aren't affected by clients that hold connections open, send slowly or never read", async () => {
  await using small = await startServer({ maxFiles: 2 * CONNECTIONS, settings: warm(1) });
  const expectServed = watchOthers(small, 1);
  const before = await readMemory(small.pid);
  const requests = `GET ${LARGE_FILE} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(16);
  const idle = await connectStrangers(small, { count: CONNECTIONS + 50, network: 1, addresses: 50, text: "" });
  const slow = await connectStrangers(small, { count: CONNECTIONS + 50, network: 2, addresses: 1, text: FORM });
  for (const socket of [...idle, ...slow]) socket.resume();
  const unread = await connectStrangers(small, { count: 25, network: 3, addresses: 25, text: requests });
  await until(
    () => slow.filter(({ closed }) => !closed).length,
    (count) => count <= OF_ADDRESS,
    5000,
  );
  expect((await fetch(new URL("/sign-in", small.url))).status).toBe(200);
  await expectServed();
  expect((await readMemory(small.pid)) - before).toBeLessThan(256 * MIB);
  for (const socket of [...idle, ...slow, ...unread]) socket.destroy();
  await until(
    () => small.readResources(),
    ({ descriptors }) => descriptors.length < 50,
  );
});

/** Returns a process's memory in bytes. */
async function readMemory(pid: number): Promise<number> {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) * 1024;
}
