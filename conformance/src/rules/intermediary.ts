import { toErrorBody } from "../run/expect.ts";
import { NotApplicable } from "../registry/violation.ts";
import type { Received } from "../target/exchange.ts";

/** Whether a handshake was refused by what stands before the service: all that the service refuses has a name. */
export function isFromIntermediary({ status, json }: Received): boolean {
  return status !== 101 && typeof toErrorBody(json).name !== "string";
}

/** @param what Completes "something in front of it answered …". @throws {NotApplicable} Unless the service itself has answered. */
export function expectFromService(received: Received, what: string): void {
  if (!isFromIntermediary(received)) return;
  throw new NotApplicable(
    `It is not the service that can be seen here: something in front of it answered ${what}, with ${received.status}.`,
  );
}
