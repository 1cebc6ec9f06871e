/** Of an event or an error. The library copies what it has of a line with each part that arrives. */
const MAX_LINE_BYTES = 2 ** 20;
const NEWLINE = 10;

/** A `fetch` whose answers fail after a number of bytes, or with a line that is too long. */
export function newBoundedFetch(maxBytes: number): typeof fetch {
  return async (...given) => {
    const { body, status, statusText, headers } = await fetch(...given);
    return new Response(body?.pipeThrough(newLimit(maxBytes)) ?? null, { status, statusText, headers });
  };
}

function newLimit(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let [bytes, lineBytes] = [0, 0];
  return new TransformStream({
    transform(chunk, controller) {
      const end = chunk.lastIndexOf(NEWLINE);
      bytes += chunk.length;
      lineBytes = end === -1 ? lineBytes + chunk.length : chunk.length - end;
      if (bytes > maxBytes || lineBytes > MAX_LINE_BYTES) throw new Error("The provider's answer is too long.");
      controller.enqueue(chunk);
    },
  });
}
