// A compromised browser process, which starts like Chromium and then sends data that is costly for the server.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { type Socket, createServer } from "node:net";

const WEBSOCKET_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const MESSAGE_BYTES = 60 * 2 ** 20;

const [, port] = /--remote-debugging-port=(\d+)/.exec(process.argv.join(" ")) ?? [];
const pages = JSON.stringify([{ id: "1", type: "page", url: "http://taken.example/" }]);

/** Returns a text message that contains millions of values and isn't the response to any command. */
function toMessage(): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(0x817f);
  head.writeUInt32BE(MESSAGE_BYTES, 6);
  const message = Buffer.alloc(MESSAGE_BYTES, "[],");
  message.write('{"id":77,"result":[');
  message.write("[]]}", MESSAGE_BYTES - 4);
  return Buffer.concat([head, message]);
}

function answer(socket: Socket, request: string): void {
  const [, key] = /^sec-websocket-key: *(\S+)/im.exec(request) ?? [];
  if (key === undefined) {
    const body = request.startsWith("GET /json/list") ? pages : "{}";
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    return;
  }
  const accept = createHash("sha1")
    .update(key + WEBSOCKET_GUID)
    .digest("base64");
  const lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
  socket.write([...lines, `Sec-WebSocket-Accept: ${accept}`, "Set-Cookie: session=1", "\r\n"].join("\r\n"));
  if (!request.startsWith("GET /devtools/page/")) return;
  const message = toMessage();
  const flood = (): void => {
    while (!socket.destroyed && socket.write(message));
  };
  socket.on("drain", flood);
  flood();
}

createServer((socket) => {
  socket
    .on("error", () => {})
    .on("data", (request: Buffer) => {
      if (request.includes("GET ")) answer(socket, String(request));
    });
}).listen(Number(port), "127.0.0.1", () => {
  process.stderr.write(`DevTools listening on ws://127.0.0.1:${port}/devtools/browser/taken\n`);
  spawn("yes", { stdio: ["ignore", 2, 2] });
});
