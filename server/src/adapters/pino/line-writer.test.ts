import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LineWriter } from "./line-writer.ts";
import { newPinoLog } from "./pino-log.ts";

const LINE = `${"x".repeat(999)}\n`;

let folder: string;
let reader: number;
let fd: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rbs-log-"));
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  fd = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
});

afterEach(() => {
  for (const each of [reader, fd]) if (each >= 0) closeSync(each);
  rmSync(folder, { recursive: true });
});

/** Returns the pipe's current content. */
function readAll(): string {
  const parts: Buffer[] = [];
  const part = Buffer.alloc(65536);
  for (;;) {
    try {
      const bytes = readSync(reader, part);
      if (bytes === 0) break;
      parts.push(Buffer.from(part.subarray(0, bytes)));
    } catch {
      break;
    }
  }
  return Buffer.concat(parts).toString();
}

function newWriter(maxQueuedBytes: number): LineWriter {
  return new LineWriter({ fd, maxQueuedBytes, renderDropped: (lines) => `dropped ${lines}\n` });
}

/** Reads until the writer has written everything. */
async function drain(lines: LineWriter): Promise<string> {
  let text = "";
  for (let attempt = 0; attempt < 100; attempt++) {
    text += readAll();
    await lines.flush(20);
  }
  return text + readAll();
}

test("a line is in the pipe before write returns", () => {
  const lines = newWriter(1000);
  lines.write("one\n");
  expect(readAll()).toBe("one\n");
});

test("a reader that has stopped doesn't block; lines beyond the queue are dropped, counted and reported once", async () => {
  const lines = newWriter(100_000);
  for (let written = 0; written < 1000; written++) lines.write(LINE);
  const { dropped } = lines;
  expect(dropped).toBeGreaterThan(700);
  expect(dropped).toBeLessThan(1000);
  const text = await drain(lines);
  expect(text.split(LINE)).toHaveLength(1000 - dropped + 1);
  expect(text.endsWith(`dropped ${dropped}\n`)).toBe(true);
  lines.write("next\n");
  expect(readAll()).toBe("next\n");
  expect(lines.dropped).toBe(dropped);
});

test("flush doesn't wait longer than its timeout for a stopped reader", async () => {
  using lines = newWriter(1_000_000);
  for (let written = 0; written < 200; written++) lines.write(LINE);
  await lines.flush(1);
  expect(lines.dropped).toBe(0);
});

test("lines are dropped if the pipe has no reader", () => {
  closeSync(reader);
  reader = -1;
  const lines = newWriter(1000);
  lines.write("one\n");
  expect(lines.dropped).toBe(1);
});

test("lines per second are limited during a flood of sampled events, and the number of omitted events is logged", () => {
  const log = newPinoLog({ level: "info", fd });
  for (let sent = 0; sent < 1000; sent++) log.sample("request.refused", { sent });
  const written = readAll().trim().split("\n");
  expect(written).toHaveLength(20);
  log.info("server.stopped");
  expect(JSON.parse(readAll())).toMatchObject({ event: "server.stopped" });
});

test("a flood of sampled events doesn't hide errors", () => {
  const log = newPinoLog({ level: "info", fd });
  for (let sent = 0; sent < 1000; sent++) log.sample("request.refused", { sent });
  readAll();
  log.sample("request.failed", {}, "error");
  const { time: _, ...line } = JSON.parse(readAll()) as Record<string, unknown>;
  expect(line).toEqual({ level: "error", event: "request.failed" });
});

test("an error's message is followed by the message of its cause", () => {
  const error = new Error("The worker can't be reached.", { cause: new Error("connect ECONNREFUSED") });
  newPinoLog({ level: "info", fd }).warn("call.failed", { error });
  expect(JSON.parse(readAll())).toMatchObject({
    error: { type: "Error", message: "The worker can't be reached: connect ECONNREFUSED" },
  });
});

test("a thrown value that isn't an error is logged unchanged", () => {
  newPinoLog({ level: "info", fd }).warn("call.failed", { error: "a text" });
  expect(JSON.parse(readAll())).toMatchObject({ error: "a text" });
});

test("an aborted signal's error is logged with its name, message and stack", () => {
  newPinoLog({ level: "info", fd }).warn("call.failed", { error: AbortSignal.abort().reason });
  const { error } = JSON.parse(readAll()) as { error: object };
  expect(error).toEqual({ type: "AbortError", message: "This operation was aborted", stack: expect.any(String) });
});

test("the text format has one line per event, includes error messages, and contains no control characters", () => {
  const log = newPinoLog({ level: "info", format: "text", fd });
  log.info("browser.opened", { id: "br_1", openMs: 231, isWarm: true });
  log.warn("probe.failed", { kind: "chromium", error: new Error("It doesn't start.\n\u001B[2J\u009B") });
  const [first, second, ...others] = readAll().split("\n");
  expect(first).toMatch(/^\d\d:\d\d:\d\d info {2}browser\.opened id=br_1 openMs=231 isWarm=true$/);
  expect(second).toMatch(/^\S+ warn {2}probe\.failed kind=chromium error="It doesn't start\.\\n\\u001b\[2J\\u009b"$/);
  expect(others).toEqual([""]);
});

test("a log that isn't written to a terminal is JSON by default", () => {
  newPinoLog({ level: "info", format: "auto", fd }).info("server.started");
  expect(JSON.parse(readAll())).toMatchObject({ event: "server.started" });
});
