import { describe, expect, test } from "vitest";
import { RfbHandshake } from "./rfb-handshake.ts";
import { CHALLENGE, ENTERED, OK, TYPES, VERSION, WRONG } from "./support/scripted-screen.ts";

const OLD = Buffer.from([0, 0, 0, 2]);
const NONE = Buffer.alloc(4);

describe.each([
  ["a right password", ENTERED, "entered"],
  ["a wrong password", Buffer.concat([VERSION, TYPES, CHALLENGE, WRONG]), "refused"],
  ["a right password in version 3.3", Buffer.concat([VERSION, OLD, CHALLENGE, OK]), "entered"],
  ["a wrong password in version 3.3", Buffer.concat([VERSION, OLD, CHALLENGE, WRONG]), "refused"],
  ["a refusal before the password", Buffer.concat([VERSION, NONE]), "refused"],
  ["another kind of authentication", Buffer.concat([VERSION, Buffer.from([1, 1])]), "refused"],
] as const)("%s", (_name, said, outcome) => {
  test(`is ${outcome}, and not before it has been said`, () => {
    const handshake = new RfbHandshake();
    expect(handshake.read(said.subarray(0, -1))).toBe("pending");
    expect(handshake.read(said.subarray(-1))).toBe(outcome);
  });

  test("is the same byte by byte", () => {
    const handshake = new RfbHandshake();
    expect([...said].map((byte) => handshake.read(Buffer.from([byte]))).at(-1)).toBe(outcome);
  });
});

test("what comes after the handshake changes nothing", () => {
  const handshake = new RfbHandshake();
  handshake.read(Buffer.concat([ENTERED, WRONG]));
  expect(handshake.read(WRONG)).toBe("entered");
});
