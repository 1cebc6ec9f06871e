import type { Exchange } from "../target/exchange.ts";
import { NoAnswer } from "../target/no-answer.ts";
import type { OutgoingRequest } from "../target/target.ts";
import type { Run } from "./run.ts";

/**
 * Sends a body that the server may refuse before it has it all, on the main account; an empty `Authorization` is not sent.
 * @throws {NoAnswer}
 */
export async function sendLarge({ main }: Run, { headers, ...request }: OutgoingRequest): Promise<Exchange> {
  try {
    // The connection is no other request's: the server may close it while this one is sent.
    return await main.raw({ ...request, headers: { ...headers, Connection: "close" } });
  } catch (error) {
    if (!(error instanceof NoAnswer && error.isReached)) throw error;
    return await main.raw({ ...request, ...(headers && { headers }), isBodyDelayed: true });
  }
}

/** @returns The body as JSON of exactly so many bytes, with a member in it that the contract does not know. */
export function padded(body: object, bytes: number): string {
  const bare = Buffer.byteLength(JSON.stringify({ ...body, Padding: "" }));
  return JSON.stringify({ ...body, Padding: "x".repeat(bytes - bare) });
}
