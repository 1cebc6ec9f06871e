import type { Exchange } from "../target/exchange.ts";
import { NoAnswer } from "../target/no-answer.ts";
import type { OutgoingRequest } from "../target/target.ts";
import type { Run } from "../run/run.ts";

/**
 * Sends a body on the main account that the server may refuse before it has arrived. An empty `Authorization` is not
 * sent.
 * @throws {NoAnswer}
 */
export async function sendLarge({ main }: Run, { headers, ...request }: OutgoingRequest): Promise<Exchange> {
  try {
    // Use a new connection, because the server may close it during the request.
    return await main.raw({ ...request, headers: { ...headers, Connection: "close" } });
  } catch (error) {
    if (!(error instanceof NoAnswer && error.isReached)) throw error;
    return await main.raw({ ...request, ...(headers && { headers }), isBodyDelayed: true });
  }
}

/** @returns A JSON body of exactly this size, padded with a member that the contract does not know. */
export function padded(body: object, bytes: number): string {
  const bare = Buffer.byteLength(JSON.stringify({ ...body, Padding: "" }));
  return JSON.stringify({ ...body, Padding: "x".repeat(bytes - bare) });
}
