import { InvalidAnswerError } from "./remote-browser-error.ts";

// Far larger than any response in the contract, and far smaller than a machine's memory.
const LONGEST_MIB = 64;

/** Reads a complete body. @throws {InvalidAnswerError} If the body exceeds 64 MiB after decompression. */
export async function readText(body: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  for await (const part of readParts(body)) parts.push(decoder.decode(part, { stream: true }));
  return parts.join("") + decoder.decode();
}

/** Reads a complete body. @throws {InvalidAnswerError} Like `readText`. */
export async function readBytes(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<ArrayBuffer> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const part of readParts(body)) parts.push(part);
  return new Blob(parts).arrayBuffer();
}

async function* readParts<Part extends Uint8Array>(body: ReadableStream<Part>): AsyncGenerator<Part> {
  const reader = body.getReader();
  let bytes = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    bytes += read.value.byteLength;
    if (bytes > LONGEST_MIB * 2 ** 20) {
      // Closes the connection.
      reader.cancel().catch(() => undefined);
      throw new InvalidAnswerError(`The response is longer than ${LONGEST_MIB} MiB, so it isn't from the service.`);
    }
    yield read.value;
  }
}
