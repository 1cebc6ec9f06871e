import { once } from "node:events";
import type { Server, ServerResponse } from "node:http";

/**
 * Keeps account of the answers that a server has under way.
 * @returns Resolves when those of the moment it is called are written, or their clients gone; never rejects.
 */
export function followAnswers(server: Server): () => Promise<void> {
  const underWay = new Set<ServerResponse>();
  server.on("request", (_, answer) => {
    underWay.add(answer);
    answer.once("close", () => underWay.delete(answer));
  });
  return async () => {
    await Promise.all([...underWay].map((answer) => once(answer, "close")));
  };
}
