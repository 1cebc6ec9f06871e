/** Maximum length of a line, because the library copies an unfinished line with each chunk. */
const MAX_LINE_BYTES = 2 ** 20;
const NEWLINE = 10;

/** Returns a `fetch` whose responses fail if the body or one of its lines is too long. */
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
