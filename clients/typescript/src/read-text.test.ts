import { expect, test } from "vitest";
import { readText } from "./read-text.ts";

test("a character that is split across chunks is decoded correctly", async () => {
  const bytes = new TextEncoder().encode("39.90 €");
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  expect(await readText(body)).toBe("39.90 €");
});
