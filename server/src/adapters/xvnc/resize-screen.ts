import { withConnection } from "./with-connection.ts";
import type { Size } from "../../domain/browser/screen.ts";
import type { SandboxSocket } from "../../ports/sandboxes.ts";
import { type X11Client, openX11, pad, uint16, uint32 } from "./x11-client.ts";

/** X11 opcodes. */
const [CONFIGURE_WINDOW, INTERN_ATOM, DELETE_PROPERTY, GET_PROPERTY, QUERY_EXTENSION] = [12, 16, 19, 20, 98] as const;
/** Requests of the RandR extension. */
const [QUERY_VERSION, SET_SCREEN_SIZE, CREATE_MODE, ADD_OUTPUT_MODE, SET_CRTC_CONFIG, GET_RESOURCES] = [
  0, 7, 16, 18, 21, 25,
] as const;
const RANDR = "RANDR";
/** The RandR version that these requests belong to. */
const VERSION = [uint32(1), uint32(3)];
/** The predefined atom of a window's size hints. */
const WM_NORMAL_HINTS = 40;
const ANY_TYPE = 0;
/** The fields of `CONFIGURE_WINDOW`: position and size. */
const BOUNDS = 0b1111;
const NOW = 0;
const UPRIGHT = 1;

const MAX_WINDOWS = 1024;
/** 96 pixels per inch, for programs that read the screen's size in millimetres. */
const PIXELS_PER_MM = 96 / 25.4;

/**
 * Resizes an X screen, like `xrandr`, and its windows, even below their minimum size (500 pixels wide for Chromium).
 * @param x11 The X server's socket.
 * @throws {Error} If the server rejects a request or closes the connection; `signal.reason` if the signal is aborted.
 */
export async function resizeScreen(
  x11: Pick<SandboxSocket, "connect">,
  cookie: Buffer,
  size: Size,
  signal: AbortSignal,
): Promise<void> {
  await withConnection(x11, signal, async (socket) => {
    const client = await openX11(socket, cookie);
    await setSize(client, size, await listWindows(client));
  });
}

async function listWindows(client: X11Client): Promise<Buffer[]> {
  const name = Buffer.from("_NET_CLIENT_LIST");
  const atom = (await client.ask([INTERN_ATOM, 0], uint16(name.length), uint16(0), pad(name))).readUInt32LE(8);
  const range = [uint32(0), uint32(MAX_WINDOWS)];
  const list = await client.ask([GET_PROPERTY, 0], uint32(client.root), uint32(atom), uint32(ANY_TYPE), ...range);
  return Array.from({ length: (list.length - 32) / 4 }, (_, index) => list.subarray(32 + 4 * index).subarray(0, 4));
}

async function setSize(client: X11Client, { width, height }: Size, windows: readonly Buffer[]): Promise<void> {
  const found = await client.ask([QUERY_EXTENSION, 0], uint16(RANDR.length), uint16(0), pad(Buffer.from(RANDR)));
  const [opcode = 0] = found.subarray(9);
  await client.ask([opcode, QUERY_VERSION], ...VERSION);
  const resources = await client.ask([opcode, GET_RESOURCES], uint32(client.root));
  const changedAt = resources.readUInt32LE(12);
  const [crtc, output] = [
    resources.subarray(32, 36),
    resources.subarray(32 + 4 * resources.readUInt16LE(16)).subarray(0, 4),
  ];
  // The timestamp makes the name unique.
  const name = Buffer.from(`${width}x${height} ${changedAt}`);
  const timings = [width, width, width, 0, height, height, height, name.length].map(uint16);
  const facts = [uint32(0), uint16(width), uint16(height), uint32(0), ...timings, uint32(0)];
  const mode = (await client.ask([opcode, CREATE_MODE], uint32(client.root), ...facts, pad(name))).subarray(8, 12);
  client.tell([opcode, ADD_OUTPUT_MODE], output, mode);
  // The monitor must fit on the screen before and after it changes.
  const both = { width: Math.max(width, client.screen.width), height: Math.max(height, client.screen.height) };
  client.tell([opcode, SET_SCREEN_SIZE], uint32(client.root), ...toFields(both));
  const position = [uint16(0), uint16(0), mode, uint16(UPRIGHT), uint16(0), output];
  const [, status] = await client.ask([opcode, SET_CRTC_CONFIG], crtc, uint32(NOW), uint32(changedAt), ...position);
  if (status !== 0) throw new Error(`The screen refused the size ${width} × ${height} with status ${status}.`);
  client.tell([opcode, SET_SCREEN_SIZE], uint32(client.root), ...toFields({ width, height }));
  for (const window of windows) {
    client.tell([DELETE_PROPERTY, 0], window, uint32(WM_NORMAL_HINTS));
    client.tell([CONFIGURE_WINDOW, 0], window, uint16(BOUNDS), uint16(0), ...[0, 0, width, height].map(uint32));
  }
  // Errors from earlier requests arrive before this reply.
  await client.ask([opcode, QUERY_VERSION], ...VERSION);
}

/** Encodes a size in pixels and in millimetres. */
function toFields({ width, height }: Size): Buffer[] {
  const millimetres = [width, height].map((pixels) => uint32(Math.ceil(pixels / PIXELS_PER_MM)));
  return [uint16(width), uint16(height), ...millimetres];
}
