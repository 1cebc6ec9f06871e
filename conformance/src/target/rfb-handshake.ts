import { createCipheriv } from "node:crypto";
import type { ByteQueue } from "./byte-queue.ts";
import { NoAnswer } from "./no-answer.ts";

const VNC_AUTH = 2;
const VERSION_BYTES = 12;
const FORMAT_BYTES = 16;
const CHALLENGE_BYTES = 16;
const KEY_BYTES = 8;
/** Maximum length of a reason or a desktop name. */
const MAX_TEXT_BYTES = 10_000;

/** The server rejected the viewer. */
export class ViewerRefused extends NoAnswer {
  constructor(why: string) {
    super(`The server rejected the viewer: ${why}.`, { isReached: true });
  }
}

/** The server does not speak RFB with VNC authentication. */
export class NotRfb extends NoAnswer {
  constructor(what: string) {
    super(`The server at rfbUrl ${what}.`, { isReached: true });
  }
}

/** The screen that the server announces to a viewer (RFC 6143, section 7.3.2). */
export type Screen = { readonly width: number; readonly height: number; readonly bytesPerPixel: number };

/**
 * Runs the RFB handshake (RFC 6143, sections 7.1 to 7.3) in the server's protocol version.
 * @throws {ViewerRefused} If the server rejects the password.
 */
export async function handshake(bytes: ByteQueue, send: (bytes: Buffer) => void, password: string): Promise<Screen> {
  const minor = await readVersion(bytes);
  send(Buffer.from(`RFB 003.00${minor}\n`));
  const types = minor >= 7 ? [...(await bytes.read(await bytes.readNumber(1)))] : [await bytes.readNumber(4)];
  if (types.length === 0 || types[0] === 0) throw new ViewerRefused(await readText(bytes));
  if (!types.includes(VNC_AUTH)) throw new NotRfb(`offers the security types ${types.join(", ")} but not ${VNC_AUTH}`);
  if (minor >= 7) send(Buffer.of(VNC_AUTH));
  send(answerChallenge(password, await bytes.read(CHALLENGE_BYTES)));
  if ((await bytes.readNumber(4)) !== 0) {
    // Protocol versions before 3.8 send no reason.
    throw new ViewerRefused(minor >= 8 ? await readText(bytes) : "no reason was given");
  }
  const isShared = 1;
  send(Buffer.of(isShared));
  const [width, height] = [await bytes.readNumber(2), await bytes.readNumber(2)];
  const [bitsPerPixel = 0] = await bytes.read(FORMAT_BYTES);
  await readText(bytes);
  return { width, height, bytesPerPixel: bitsPerPixel / 8 };
}

/** @returns 3, 7 or 8: the highest minor version that both client and server support. */
async function readVersion(bytes: ByteQueue): Promise<number> {
  const version = String(await bytes.read(VERSION_BYTES));
  const [, major, minor] = /^RFB (\d{3})\.(\d{3})\n$/.exec(version) ?? [];
  if (major === undefined) throw new NotRfb(`begins with ${JSON.stringify(version)} instead of an RFB version`);
  if (Number(major) > 3 || Number(minor) >= 8) return 8;
  return Number(minor) === 7 ? 7 : 3;
}

async function readText(bytes: ByteQueue): Promise<string> {
  const length = await bytes.readNumber(4);
  if (length > MAX_TEXT_BYTES) throw new NotRfb(`announces a text of ${length} bytes`);
  return String(await bytes.read(length));
}

/** Encrypts the challenge with the password as the DES key (RFC 6143, section 7.2.2). */
function answerChallenge(password: string, challenge: Buffer): Buffer {
  // VNC reverses the bits of each key byte.
  const key = Buffer.alloc(KEY_BYTES);
  key.set(Buffer.from(password, "latin1").subarray(0, KEY_BYTES).map(reverse));
  // OpenSSL 3 only has triple DES, which is equivalent to DES if all three keys are the same.
  const cipher = createCipheriv("des-ede3-ecb", Buffer.concat([key, key, key]), null);
  return cipher.setAutoPadding(false).update(challenge);
}

function reverse(byte: number): number {
  return Number.parseInt(byte.toString(2).padStart(8, "0").split("").toReversed().join(""), 2);
}
