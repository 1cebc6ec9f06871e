import { INFO } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { expectRefusal, expectThat, describe, toErrorBody } from "../../session/expect.ts";
import { unknownAddress } from "../../target/addresses.ts";
import type { Received } from "../../target/exchange.ts";
import { tryHandshake } from "../../target/handshake.ts";
import { expectFromService, isFromIntermediary } from "../../scenario/intermediary.ts";

/** Removes all WebSocket headers from a handshake. */
const PLAIN = {
  Connection: undefined,
  Upgrade: undefined,
  "Sec-WebSocket-Version": undefined,
  "Sec-WebSocket-Key": undefined,
};

const FOREIGN = { Origin: "https://elsewhere.invalid" };

/** Refused handshakes. */
export const HANDSHAKE_RULES = scenarios({ capability: "core", at: INFO }, [
  {
    id: "RBS-CONNECT-04",
    sentence: "no open browser has that address",
    async check({ shared }) {
      const received = await tryHandshake(unknownAddress(await shared("headless")));
      expectRefusal({ received }, "BrowserNotFound");
    },
  },
  {
    id: "RBS-CONNECT-05",
    sentence: "it is not a WebSocket handshake of version 13",
    async check({ shared }) {
      const address = await shared("headless");
      expectAnswered(await tryHandshake(address, PLAIN), 426, "UpgradeRequired");
      const old = await tryHandshake(address, { "Sec-WebSocket-Version": "8" });
      if (!isFromIntermediary(old)) expectAnswered(old, 426, "UpgradeRequired");
    },
  },
  {
    id: "RBS-CONNECT-06",
    sentence: "it is malformed",
    async check({ shared }) {
      const address = await shared("headless");
      const answers: Received[] = [];
      for (const key of [undefined, "", "too short", "bm90IHNpeHRlZW4="]) {
        answers.push(await tryHandshake(address, { "Sec-WebSocket-Key": key }));
      }
      for (const answer of answers) if (!isFromIntermediary(answer)) expectAnswered(answer, 400, "BadRequest");
      for (const answer of answers) expectFromService(answer, "a malformed handshake");
    },
  },
  {
    id: "RBS-CONNECT-07",
    sentence:
      "If a connection cannot be made, the WebSocket handshake is refused with the same kind of body as any other error",
    async check({ shared, options: { contract } }) {
      const address = await shared("headless");
      expectErrorBody(await tryHandshake(unknownAddress(address)));
      expectErrorBody(await tryHandshake(address, PLAIN));
      expectErrorBody(await tryHandshake(address, FOREIGN));
      const malformed = await tryHandshake(address, { "Sec-WebSocket-Key": undefined });
      expectFromService(malformed, "a malformed handshake");
      expectErrorBody(malformed);
      if (malformed.status === 400 && contract !== "1.0") expectRefusal({ received: malformed }, "BadRequest", "");
    },
  },
  {
    id: "RBS-CONNECT-11",
    since: "1.1",
    sentence:
      "The form of a handshake is checked first (400 and 426), then its `Origin` (403), then its address and its `Host` (404 and 403), and last whether the browser can be reached (502 and 503).",
    async check({ shared }) {
      const address = await shared("headless");
      const unknown = unknownAddress(address);
      const malformed = { "Sec-WebSocket-Key": "too short" };
      const old = { "Sec-WebSocket-Version": "8" };
      const answers = [
        { received: await tryHandshake(unknown, malformed), status: 400, name: "BadRequest" },
        { received: await tryHandshake(address, { ...malformed, ...FOREIGN }), status: 400, name: "BadRequest" },
        { received: await tryHandshake(unknown, old), status: 426, name: "UpgradeRequired" },
        { received: await tryHandshake(address, { ...old, ...FOREIGN }), status: 426, name: "UpgradeRequired" },
        { received: await tryHandshake(unknown, FOREIGN), status: 403, name: "Forbidden" },
      ];
      for (const { received, status, name } of answers) {
        if (!isFromIntermediary(received)) expectAnswered(received, status, name);
      }
      for (const { received } of answers) expectFromService(received, "a handshake with two faults");
    },
  },
]);

/** Checks for an error that only occurs in handshakes. */
function expectAnswered(received: Received, status: number, name: string): void {
  const isRight = received.status === status && toErrorBody(received.json).name === name;
  expectThat(isRight, `the handshake to be rejected with ${status} ${name}`, describe(received));
}

/** Checks the error body of a rejected handshake. Other rules check whether the handshake is rejected. */
function expectErrorBody(received: Received): void {
  if (received.status === 101) return;
  const { status, name, message, requestId } = toErrorBody(received.json);
  const seen = `${describe(received)} with the body ${received.text.slice(0, 200)}`;
  expectThat(status === received.status, `an error body with status ${received.status}`, seen);
  const isWhole = [name, message, requestId].every((each) => typeof each === "string" && each !== "");
  expectThat(isWhole, "an error body with name, message and requestId", seen);
  const header = received.headers["x-request-id"];
  expectThat(header === requestId, "the X-Request-Id header to equal requestId", header ?? "no such header");
}
