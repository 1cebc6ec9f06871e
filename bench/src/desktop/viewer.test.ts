import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Viewer } from "./viewer.ts";

const [WIDTH, HEIGHT] = [4, 2];
const [BLUE, RED] = [0x3264c8, 0xc83264];
const REQUESTED = { everything: 0, changes: 1 };
const KEY = 0x61;
const REQUEST = 3;
/** A viewer's handshake: version, security type, challenge response, shared flag, pixel format and encodings. */
const HANDSHAKE_BYTES = 12 + 1 + 16 + 1 + 20 + 8;

/** Opens a screen that accepts any password and responds to each request with the next buffer. */
async function openScreen(answers: readonly Buffer[]): Promise<{ viewer: Viewer; requests: readonly number[] }> {
  const folder = mkdtempSync(join(tmpdir(), "rbs-viewer-"));
  const requests: number[] = [];
  const server = createServer((socket) => serve(socket, [...answers], requests));
  server.listen(join(folder, "rfb.sock"));
  await once(server, "listening");
  const viewer = await Viewer.openDirectly(join(folder, "rfb.sock"), "password");
  onTestFinished(async () => {
    viewer[Symbol.dispose]();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });
  return { viewer, requests };
}

function serve(socket: Socket, answers: Buffer[], requests: number[]): void {
  const size = Buffer.from([0, WIDTH, 0, HEIGHT, ...Array<number>(16).fill(0), 0, 0, 0, 1, 0x78]);
  // Version, one security type with its challenge, success, and the screen's size and name.
  socket.write(Buffer.concat([Buffer.from("RFB 003.008\n"), Buffer.of(1, 2), Buffer.alloc(16 + 4), size]));
  let handshakeLeft = HANDSHAKE_BYTES;
  socket.on("error", () => {});
  socket.on("data", (chunk: Buffer) => {
    const skipped = Math.min(handshakeLeft, chunk.length);
    handshakeLeft -= skipped;
    for (let at = skipped; at < chunk.length; at += chunk[at] === REQUEST ? 10 : 8) {
      if (chunk[at] !== REQUEST) continue;
      requests.push(chunk[at + 1] ?? -1);
      socket.write(answers.shift() ?? Buffer.alloc(0));
    }
  });
}

/** Encodes an update with one rectangle of one colour. */
function update(x: number, y: number, width: number, height: number, colour: number): Buffer {
  const pixel = Buffer.alloc(4);
  pixel.writeUInt32LE(colour);
  const head = Buffer.from([0, 0, 0, 1, 0, x, 0, y, 0, width, 0, height, 0, 0, 0, 0]);
  return Buffer.concat([head, ...Array<Buffer>(width * height).fill(pixel)]);
}

test("a picture is complete after its last update, even if other messages arrive in between", async () => {
  const bell = Buffer.of(2);
  const clipboard = Buffer.from([3, 0, 0, 0, 0, 0, 0, 2, 0x68, 0x69]);
  const pieces = [update(0, 0, WIDTH, 1, BLUE), bell, clipboard, update(0, 1, WIDTH, 1, RED)];
  const { viewer, requests } = await openScreen([Buffer.concat(pieces)]);
  expect(await viewer.readScreen(3, 1)).toBe(RED);
  expect(viewer.size).toBe("4×2");
  expect(requests).toEqual([REQUESTED.everything]);
});

test("a key press waits until the given pixel changes, not just any pixel", async () => {
  const { viewer, requests } = await openScreen([
    update(0, 0, 1, 1, RED),
    update(0, 0, WIDTH, HEIGHT, BLUE),
    update(2, 1, 1, 1, RED),
  ]);
  expect(await viewer.press(KEY, 2, 1, BLUE)).toBe(RED);
  expect(requests).toEqual([REQUESTED.changes, REQUESTED.changes, REQUESTED.changes]);
});

test("a read fails when the connection to the screen closes", async () => {
  const { viewer } = await openScreen([]);
  const reading = viewer.readScreen(0, 0);
  viewer[Symbol.dispose]();
  await expect(reading).rejects.toThrow();
});
