import { expect, test } from "vitest";
import { readBytes, readText } from "./read-text.ts";

function inParts(parts: Iterable<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

test("a character that is split across chunks is decoded correctly", async () => {
  const bytes = new TextEncoder().encode("39.90 €");
  expect(await readText(inParts([...bytes].map((byte) => Uint8Array.of(byte))))).toBe("39.90 €");
});

test("bytes are joined, up to 64 MiB", async () => {
  expect(await readBytes(inParts([Uint8Array.of(1), Uint8Array.of(0, 255)]))).toStrictEqual(
    Uint8Array.of(1, 0, 255).buffer,
  );
  const part = new Uint8Array(2 ** 20);
  await expect(readBytes(inParts(Array.from({ length: 65 }, () => part)))).rejects.toThrow("longer than 64 MiB");
});
