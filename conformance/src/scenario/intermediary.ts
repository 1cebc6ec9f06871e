import { toErrorBody } from "../session/expect.ts";
import { NotApplicable } from "../target/violation.ts";
import type { Received } from "../target/exchange.ts";

/**
 * Whether an intermediary between the client and the service, such as a reverse proxy, rejected the handshake. The
 * service's own rejections have an error name.
 */
export function isFromIntermediary({ status, json }: Received): boolean {
  return status !== 101 && typeof toErrorBody(json).name !== "string";
}

/**
 * @param what The end of the sentence "A proxy … responded to …".
 * @throws {NotApplicable} If the response does not come from the service.
 */
export function expectFromService(received: Received, what: string): void {
  if (!isFromIntermediary(received)) return;
  throw new NotApplicable(
    `A proxy or load balancer between client and service responded to ${what} with ${received.status}, so the service can't be tested.`,
  );
}
