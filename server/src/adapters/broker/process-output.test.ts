import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { readOutput } from "./process-output.ts";

test("what is looked for is found wherever the stream is cut", async () => {
  const stream = new PassThrough();
  const output = readOutput(stream);
  const found = output.find(/listening on (\S+)\n/);
  for (const part of ["noise\nlisten", "ing on /de", "vtools\nmore"]) stream.write(part);
  expect((await found)[1]).toBe("/devtools");
});

test("what was written before somebody looked is found, too", async () => {
  const stream = new PassThrough();
  const output = readOutput(stream);
  stream.write("ready\n");
  await output.find(/ready/);
  expect((await output.find(/^(\w+)\n/))[1]).toBe("ready");
});

test("a chunk longer than what is kept is searched from its beginning", async () => {
  const stream = new PassThrough();
  const output = readOutput(stream);
  const found = output.find(/ready/);
  stream.write(`ready${"x".repeat(10_000)}`);
  await found;
  expect(output.tail).toBe("x".repeat(4000));
});

test("a character cut in two is read as one", async () => {
  const stream = new PassThrough();
  const output = readOutput(stream);
  const found = output.find(/ü/);
  for (const byte of Buffer.from("ü")) stream.write(Buffer.of(byte));
  await found;
  expect(output.tail).toBe("ü");
});
