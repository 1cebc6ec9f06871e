import { InvalidAnswerError } from "./remote-browser-error.ts";

// Far beyond every answer of the contract, and far below what fills a machine's memory.
const LONGEST_MIB = 64;

/**
 * Reads a body to its end.
 * @throws {InvalidAnswerError} When it has more than 64 MiB, unpacked.
 */
export async function readText(body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    bytes += read.value.byteLength;
    if (bytes > LONGEST_MIB * 2 ** 20) {
      // Its connection ends with it. What that says is of no interest any more.
      reader.cancel().catch(() => undefined);
      throw new InvalidAnswerError(`The answer is longer than ${LONGEST_MIB} MiB: no answer of the service is.`);
    }
    parts.push(decoder.decode(read.value, { stream: true }));
  }
  return parts.join("") + decoder.decode();
}
