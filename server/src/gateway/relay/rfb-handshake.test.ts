import { describe, expect, test } from "vitest";
import { RfbHandshake } from "./rfb-handshake.ts";
import { CHALLENGE, AUTHENTICATED, OK, TYPES, VERSION, WRONG } from "../../../test/support/gateway/scripted-screen.ts";

const OLD = Buffer.from([0, 0, 0, 2]);
const NONE = Buffer.alloc(4);

describe.each([
  ["a right password", AUTHENTICATED, "authenticated"],
  ["a wrong password", Buffer.concat([VERSION, TYPES, CHALLENGE, WRONG]), "refused"],
  ["a correct password in RFB version 3.3", Buffer.concat([VERSION, OLD, CHALLENGE, OK]), "authenticated"],
  ["a wrong password in version 3.3", Buffer.concat([VERSION, OLD, CHALLENGE, WRONG]), "refused"],
  ["a refusal before the password is sent", Buffer.concat([VERSION, NONE]), "refused"],
  ["another authentication type", Buffer.concat([VERSION, Buffer.from([1, 1])]), "refused"],
] as const)("%s", (_name, sent, outcome) => {
  test(`is pending until the last byte arrives, and ${outcome} afterwards`, () => {
    const handshake = new RfbHandshake();
    expect(handshake.read(sent.subarray(0, -1))).toBe("pending");
    expect(handshake.read(sent.subarray(-1))).toBe(outcome);
  });

  test("has the same outcome when it arrives byte by byte", () => {
    const handshake = new RfbHandshake();
    expect([...sent].map((byte) => handshake.read(Buffer.from([byte]))).at(-1)).toBe(outcome);
  });
});

test("bytes after the handshake don't change its outcome", () => {
  const handshake = new RfbHandshake();
  handshake.read(Buffer.concat([AUTHENTICATED, WRONG]));
  expect(handshake.read(WRONG)).toBe("authenticated");
});
