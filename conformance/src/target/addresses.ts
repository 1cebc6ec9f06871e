import { randomBytes } from "node:crypto";
import { NoAnswer } from "./no-answer.ts";

const ID = /(?<=\/devtools\/browser\/)[A-Za-z0-9_-]+/;

/** Returns the id in an address, or the whole address if it has no id. */
export function idOf(address: string): string {
  return ID.exec(address)?.[0] ?? address;
}

export function withId(address: string, id: string): string {
  return address.replace(ID, id);
}

/** Returns an unused address on the same host. */
export function unknownAddress(address: string): string {
  return withId(address, randomBytes(24).toString("base64url"));
}

/** Whether a WebSocket client can connect to this address. */
export function isWebSocketUrl(address: string): boolean {
  return /^wss?:\/\//i.test(address) && URL.canParse(address);
}

/** @returns The same address. @throws {NoAnswer} If the address is not a WebSocket URL. */
export function expectWebSocketUrl(address: string): string {
  if (isWebSocketUrl(address)) return address;
  throw new NoAnswer("The address is not a WebSocket URL, so clients can't connect to it.", {
    isReached: true,
    expected: "an address that begins with ws:// or wss://",
  });
}

/** Returns a valid address that isn't in use. */
export function unusedAddress(): string {
  return `ws://127.0.0.1:8080/devtools/browser/${randomBytes(24).toString("base64url")}`;
}
