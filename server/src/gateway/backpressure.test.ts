import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type Socket, connect } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openRawDevtools } from "../../test/support/gateway/fake-devtools.ts";
import { upgradeHead } from "../../test/support/gateway/gateway-rig.ts";
import { HAS_VARIANTS } from "../../test/support/variants.ts";

const GATEWAY = fileURLToPath(new URL("../../test/support/gateway/gateway-process.ts", import.meta.url));
const KNOWN = "/devtools/browser/known";
const ANSWER = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
const MESSAGES = 450;
/** An unmasked frame, as sent by a server, large enough to need a ten-byte header. */
const MESSAGE = Buffer.concat([Buffer.from([0x82, 127, 0, 0, 0, 0, 0, 0x0f, 0x42, 0x40]), Buffer.alloc(1_000_000)]);
const ALL_BYTES = MESSAGES * MESSAGE.length;

function rssMb(pid: number | undefined): number {
  return Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1000;
}

/** Resolves when a number stops growing. */
async function settled(read: () => number): Promise<void> {
  let last = -1;
  await expect
    .poll(() => [last, (last = read())], { interval: 250 })
    .toSatisfy(([before, now]: number[]) => before === now && Number(now) > 0);
}

/** Starts a gateway in its own process. @param to The browser's Unix socket, or a worker's URL. */
async function openGateway(to: string) {
  const gateway = spawn(process.execPath, [GATEWAY, to], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await once(gateway.stdout, "data")) as [Buffer];
  const freshMb = rssMb(gateway.pid);
  return {
    port: Number(port),
    grownMb: () => rssMb(gateway.pid) - freshMb,
    async [Symbol.asyncDispose]() {
      gateway.kill();
      await once(gateway, "exit");
    },
  };
}

/**
 * Starts a DevTools server that handles its connection with the given function, a gateway for the server, and a client.
 * @param isRelayed Whether the client connects through a front-end.
 */
async function openGatewayProcess(onBrowserSide: (socket: Socket) => Promise<void>, isRelayed = false) {
  await using acquired = new AsyncDisposableStack();
  const devtools = acquired.use(await openRawDevtools((socket) => void onBrowserSide(socket).catch(() => {})));
  const gateways = [acquired.use(await openGateway(devtools.path))];
  if (isRelayed) gateways.unshift(acquired.use(await openGateway(`http://127.0.0.1:${gateways[0]?.port}`)));
  const client = connect(gateways[0]?.port ?? 0, "127.0.0.1");
  client.on("error", () => {});
  client.pause().write(upgradeHead(KNOWN));
  const resources = acquired.move();
  return {
    client,
    /** Memory growth of the gateway that grew most, in MB. */
    grownMb: () => Math.max(...gateways.map(({ grownMb }) => grownMb())),
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}

/** Sends all messages as fast as the peer reads them. */
async function sendAll(socket: Socket): Promise<void> {
  for (let sent = 0; sent < MESSAGES; sent += 1) {
    if (!socket.write(MESSAGE)) await once(socket, "drain");
  }
}

/** Checks that a sender must wait if its peer doesn't read, and that the gateway buffers little data. */
async function expectHeldBack(sender: () => Socket | undefined, grownMb: () => number): Promise<void> {
  await settled(() => sender()?.bytesWritten ?? 0);
  expect(sender()?.bytesWritten).toBeLessThan(ALL_BYTES);
  expect(grownMb()).toBeLessThan(20);
}

async function expectAll(receiver: Socket, bytes: number): Promise<void> {
  let received = 0;
  receiver.on("data", (chunk: Buffer) => (received += chunk.length)).resume();
  await expect.poll(() => received).toBe(bytes);
}

const WAYS: [string, boolean][] = [
  ["the server", false],
  ...(HAS_VARIANTS ? [["the worker and by the front-end", true] as [string, boolean]] : []),
];

test.each(WAYS)(
  "if a client stops reading while 450 MB arrive, less than 20 MB is buffered by %s, and no bytes are lost",
  async (_, isRelayed) => {
    let browser: Socket | undefined;
    await using gateway = await openGatewayProcess(async (socket) => {
      browser = socket;
      await once(socket, "data");
      socket.write(ANSWER);
      await sendAll(socket);
    }, isRelayed);
    const { client, grownMb } = gateway;
    await expectHeldBack(() => browser, grownMb);
    await expectAll(client, ANSWER.length + ALL_BYTES);
    client.destroy();
  },
);

test.each(WAYS)(
  "if a browser stops reading while 450 MB arrive, less than 20 MB is buffered by %s, and no bytes are lost",
  async (_, isRelayed) => {
    let browser: Socket | undefined;
    await using gateway = await openGatewayProcess(async (socket) => {
      await once(socket, "data");
      socket.pause().write(ANSWER);
      browser = socket;
    }, isRelayed);
    const { client, grownMb } = gateway;
    client.resume();
    await once(client, "data");
    void sendAll(client);
    await expectHeldBack(() => client, grownMb);
    await expectAll(browser as unknown as Socket, ALL_BYTES);
    client.destroy();
  },
);
