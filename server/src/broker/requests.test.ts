import { expect, test } from "vitest";
import { readNumber, readRequest } from "./requests.ts";

const PROGRAM = { command: ["/bin/true", "-x"], reads: [], isBrowser: false, isFirst: true };
const PREPARE = { ask: "prepare", programs: { true: PROGRAM }, hasOwners: true, tasks: 1000, diskBytes: 2 ** 20 };
const RUN = { ask: "run", id: "b1", program: 7, arguments: ["-x"], environment: { HOME: "/home" } };

test.each([
  PREPARE,
  { ...PREPARE, disk: { folder: "/var/tmp/x", reservedBytes: 1 } },
  { ask: "make", id: "0123456789abcdef01234567", memoryBytes: 2 ** 30 },
  { ask: "writeFile", id: "b1", name: ".config/gtk-3.0/settings.ini", content: "eA==" },
  { ask: "writeFile", id: "b1", name: "profile/Default/Preferences", content: "" },
  RUN,
  { ask: "kill", id: "b1", program: 7 },
  { ask: "measure", id: "b1", program: 7 },
])("%j is a request", (request) => expect(readRequest(request)).toBe(request));

test.each([
  [null, "know"],
  ["prepare", "know"],
  [{ ask: "constructor" }, "know"],
  [{ ask: ["prepare"] }, "know"],
  [{ ask: "make" }, "valid id"],
  [{ ask: "make", id: ".." }, "valid id"],
  [{ ask: "make", id: "a/b" }, "valid id"],
  [{ ask: "remove", id: "" }, "valid id"],
  [{ ask: "remove", id: "x".repeat(37) }, "valid id"],
  [{ ask: "remove", id: ["b1"] }, "valid id"],
  [{ ask: "holdFile", id: "b1", name: "../b2/file" }, "valid name"],
  [{ ask: "holdFile", id: "b1", name: "/etc/passwd" }, "valid name"],
  [{ ask: "holdFile", id: "b1", name: "a/./b" }, "valid name"],
  [{ ask: "holdFile", id: "b1", name: "a/.." }, "valid name"],
  [{ ask: "holdFile", id: "b1", name: "a//b" }, "valid name"],
  [{ ask: "holdSocket", id: "b1", name: "a\0b" }, "valid name"],
  [{ ask: "holdSocket", id: "b1", name: "folder/a.sock" }, "valid name"],
  [{ ask: "holdSocket", id: "b1", name: "x".repeat(201) }, "valid name"],
  [{ ask: "holdListener", id: "b1", name: 7 }, "valid name"],
  [{ ask: "holdListener", id: "../b1", name: "screen" }, "valid id"],
  [{ ask: "writeFile", id: "b1", name: "a", content: 7 }, "valid content"],
  [{ ask: "start", id: "b1", name: 7 }, "valid name"],
  [{ ...RUN, arguments: ["a", 1] }, "valid arguments"],
  [{ ...RUN, arguments: ["a\0--bind"] }, "valid arguments"],
  [{ ...RUN, environment: { A: {} } }, "valid environment"],
  [{ ...RUN, environment: { "A=1;id;B": "" } }, "valid environment"],
  [{ ...PREPARE, hasOwners: 1 }, "valid hasOwners"],
  [{ ...PREPARE, disk: { folder: "/var/tmp/x" } }, "valid disk"],
  [{ ...PREPARE, programs: { true: { ...PROGRAM, command: "/bin/true" } } }, "valid programs"],
  [{ ...PREPARE, programs: { true: { ...PROGRAM, reads: "/etc" } } }, "valid programs"],
  [{ ...PREPARE, programs: { true: { ...PROGRAM, isFirst: "no" } } }, "valid programs"],
  [{ ask: "kill", id: "b1", program: "1" }, "valid program"],
  [{ ask: "measure", id: "b1", program: -0.5 }, "valid program"],
])("%j is refused", (message, reason) => expect(() => readRequest(message)).toThrow(reason));

test.each([null, 1, [], {}, { re: "1" }, { re: 1.5 }])("%j has no number", (message) =>
  expect(readNumber(message)).toBe(undefined),
);
