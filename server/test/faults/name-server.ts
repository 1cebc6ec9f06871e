import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";

/** Starts a name server that resolves every name to 127.0.0.1 unless it is silenced. */
export async function startNameServer(): Promise<
  AsyncDisposable & { readonly address: string; setSilent(isSilent: boolean): void }
> {
  // Name servers have a fixed port, so each uses its own address.
  const address = ["127", ...Array.from({ length: 3 }, () => randomInt(1, 255))].join(".");
  const socket = createSocket("udp4");
  let isSilent = false;
  socket.on("message", (query, from) => {
    if (!isSilent) socket.send(toAnswer(query), from.port, from.address);
  });
  socket.bind(53, address);
  await once(socket, "listening");
  return {
    address,
    setSilent: (value) => void (isSilent = value),
    async [Symbol.asyncDispose]() {
      socket.close();
    },
  };
}

/** Encodes a response (RFC 1035): the question, and a record if the question asks for IPv4 (type 1). */
function toAnswer(query: Buffer): Buffer {
  let end = 12;
  while ((query[end] ?? 0) !== 0) end += (query[end] ?? 0) + 1;
  const question = query.subarray(12, end + 5);
  const isIpv4 = query.readUInt16BE(end + 1) === 1;
  const head = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, Number(isIpv4), 0, 0, 0, 0]);
  const record = isIpv4 ? Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]) : Buffer.alloc(0);
  return Buffer.concat([head, question, record]);
}
