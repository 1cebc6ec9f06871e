import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import {
  ByteReader,
  CHALLENGE_BYTES,
  HEIGHT,
  OWN_FORMAT,
  toText,
  toUint16,
  toUint32,
  Viewing,
  WIDTH,
} from "../../../server/test/interface.ts";

const VERSION = "RFB 003.008\n";
const NONE = 1;
const VNC_AUTH = 2;

/** @returns A connection to a screen that accepts every password, or requires none. */
export async function connectOpenScreen(asksForPassword: boolean): Promise<Socket> {
  const server = createServer((socket) => {
    // When the viewer disconnects, the screen closes.
    serve(
      socket.on("error", () => {}),
      asksForPassword,
    ).catch(() => socket.destroy());
    server.close();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "connect");
  return socket;
}

async function serve(socket: Socket, asksForPassword: boolean): Promise<void> {
  const reader = new ByteReader(socket);
  const send = async (...parts: readonly Buffer[]): Promise<void> => void socket.write(Buffer.concat(parts));
  await send(Buffer.from(VERSION));
  await reader.take(VERSION.length);
  await send(Buffer.from([1, asksForPassword ? VNC_AUTH : NONE]));
  await reader.take(1);
  if (asksForPassword) {
    await send(randomBytes(CHALLENGE_BYTES));
    await reader.take(CHALLENGE_BYTES);
  }
  await send(toUint32(0));
  await reader.take(1);
  await send(toUint16(WIDTH), toUint16(HEIGHT), OWN_FORMAT, toText("Open"));
  await new Viewing(reader, send, "full").run();
}
