import { randomBytes } from "node:crypto";
import { NoAnswer } from "./no-answer.ts";

const ID = /(?<=\/devtools\/browser\/)[A-Za-z0-9_-]+/;

/** The part of an address that tells which browser is meant; the whole address if there is none. */
export function idOf(address: string): string {
  return ID.exec(address)?.[0] ?? address;
}

export function withId(address: string, id: string): string {
  return address.replace(ID, id);
}

/** An address on the same host that no browser has. */
export function unknownAddress(address: string): string {
  return withId(address, randomBytes(24).toString("base64url"));
}

/** Whether it is an address that a WebSocket client can be given. */
export function isWebSocketUrl(address: string): boolean {
  return /^wss?:\/\//i.test(address) && URL.canParse(address);
}

/** @returns The same address. @throws {NoAnswer} When nobody could connect to it, whoever is there. */
export function expectWebSocketUrl(address: string): string {
  if (isWebSocketUrl(address)) return address;
  throw new NoAnswer("An address that is no WebSocket URL can't be connected to.", {
    isReached: true,
    expected: "an address that begins with ws:// or wss://",
  });
}

/** @returns An address as the contract describes it, under which no browser is open. */
export function unusedAddress(): string {
  return `ws://127.0.0.1:8080/devtools/browser/${randomBytes(24).toString("base64url")}`;
}
