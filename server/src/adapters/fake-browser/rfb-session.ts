import { once } from "node:events";
import type { Socket } from "node:net";
import type { ViewerPasswords } from "../../domain/browser/desktop.ts";
import { ByteReader } from "../rfb/byte-reader.ts";
import { OWN_FORMAT } from "./pixel-format.ts";
import { toText, toUint16, toUint32 } from "../rfb/rfb-bytes.ts";
import { type Access, HEIGHT, type Send, Viewing, WIDTH } from "./viewing.ts";
import { CHALLENGE_BYTES, answerChallenge } from "../rfb/vnc-auth.ts";

const VERSION = "RFB 003.008\n";
const VNC_AUTH = 2;
const NAME = "Fake browser";

/**
 * Serves a viewer with RFB 3.8 (RFC 6143) until it leaves. The screen has one colour and never changes; input is
 * discarded.
 * @param challenge `CHALLENGE_BYTES` random bytes.
 * @throws {Error} If the viewer leaves or sends an unknown message.
 */
export async function serveViewer(
  socket: Socket,
  passwords: () => ViewerPasswords | undefined,
  challenge: Buffer,
): Promise<void> {
  const reader = new ByteReader(socket);
  const send: Send = async (...parts) => {
    if (!socket.write(Buffer.concat(parts))) await once(socket, "drain");
  };
  await send(Buffer.from(VERSION));
  if (String(await reader.read(VERSION.length)) !== VERSION)
    throw new Error("The viewer uses an unsupported RFB version.");
  await send(Buffer.from([1, VNC_AUTH]));
  await reader.take(1);
  await send(challenge);
  const access = authenticate(passwords(), challenge, await reader.read(CHALLENGE_BYTES));
  if (access === undefined) return send(toUint32(1), toText("Authentication failure"));
  await send(toUint32(0));
  await reader.take(1);
  await send(toUint16(WIDTH), toUint16(HEIGHT), OWN_FORMAT, toText(NAME));
  await new Viewing(reader, send, access).run();
}

function authenticate(passwords: ViewerPasswords | undefined, challenge: Buffer, answer: Buffer): Access | undefined {
  if (passwords === undefined) return undefined;
  if (answerChallenge(passwords.full, challenge).equals(answer)) return "full";
  return answerChallenge(passwords.viewOnly, challenge).equals(answer) ? "view-only" : undefined;
}
