import type { Exchange } from "../target/exchange.ts";
import { NoAnswer } from "../target/no-answer.ts";
import type { OutgoingRequest } from "../target/target.ts";
import type { Run } from "../session/run.ts";

/**
 * Sends a body with the main account's token. The server may reject the request before the whole body arrives. With an
 * empty `Authorization`, the header is omitted.
 * @throws {NoAnswer}
 */
export async function sendLarge({ main }: Run, { headers, ...request }: OutgoingRequest): Promise<Exchange> {
  try {
    // Use a new connection, because the server may close the connection during the request.
    return await main.raw({ ...request, headers: { ...headers, Connection: "close" } });
  } catch (error) {
    if (!(error instanceof NoAnswer && error.isReached)) throw error;
    return await main.raw({ ...request, ...(headers && { headers }), isBodyDelayed: true });
  }
}

/** Pads a JSON body to exactly this size, with a member that the contract does not define. */
export function padded(body: object, bytes: number): string {
  const bare = Buffer.byteLength(JSON.stringify({ ...body, Padding: "" }));
  return JSON.stringify({ ...body, Padding: "x".repeat(bytes - bare) });
}
