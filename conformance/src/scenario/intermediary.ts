import { toErrorBody } from "../run/expect.ts";
import { NotApplicable } from "../registry/violation.ts";
import type { Received } from "../target/exchange.ts";

/**
 * Whether something between client and service, such as a reverse proxy, refused the handshake. Refusals of the service
 * have a name.
 */
export function isFromIntermediary({ status, json }: Received): boolean {
  return status !== 101 && typeof toErrorBody(json).name !== "string";
}

/**
 * @param what Completes "A proxy … answered …".
 * @throws {NotApplicable} When the response does not come from the service.
 */
export function expectFromService(received: Received, what: string): void {
  if (!isFromIntermediary(received)) return;
  throw new NotApplicable(
    `A proxy or load balancer between client and service answered ${what} with ${received.status}, so the service can't be tested.`,
  );
}
