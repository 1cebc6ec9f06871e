import type { Duplex } from "node:stream";

/** Maximum length of a message, in bytes. */
export const MAX_MESSAGE = 2 ** 20;

const LENGTH = 4;

/** Sends a message as JSON, preceded by its length in 4 bytes. */
export function sendMessage(channel: Duplex, message: object): void {
  const body = Buffer.from(JSON.stringify(message));
  if (body.length > MAX_MESSAGE)
    throw new RangeError(`A message has ${body.length} bytes; at most ${MAX_MESSAGE} are allowed.`);
  const length = Buffer.alloc(LENGTH);
  length.writeUInt32BE(body.length);
  channel.write(Buffer.concat([length, body]));
}

/** Reads messages as they arrive, passing undefined for invalid JSON. Destroys the channel if a message is too long. */
export function readMessages(channel: Duplex, onMessage: (message: unknown) => void): void {
  let bytes: Buffer = Buffer.alloc(0);
  channel.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    while (bytes.length >= LENGTH) {
      const length = bytes.readUInt32BE();
      if (length > MAX_MESSAGE)
        return void channel.destroy(new RangeError(`A message of ${length} bytes is too long.`));
      if (bytes.length < LENGTH + length) return;
      const message = parse(bytes.toString("utf8", LENGTH, LENGTH + length));
      bytes = bytes.subarray(LENGTH + length);
      onMessage(message);
    }
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
