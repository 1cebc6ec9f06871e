import { randomBytes } from "node:crypto";

/** @returns An address as the contract describes it, under which no browser is open. */
export function unusedAddress(): string {
  return `ws://127.0.0.1:8080/devtools/browser/${randomBytes(24).toString("base64url")}`;
}
