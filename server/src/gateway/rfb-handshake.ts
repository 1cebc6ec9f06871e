/** Bytes of the server's words, by the RFC 6143 section they stand in. */
const VERSION_BYTES = 12; // 7.1.1
const CHALLENGE_BYTES = 16; // 7.2.2
const RESULT_BYTES = 4; // 7.1.3

const VNC_AUTH = 2;

export type RfbOutcome = "pending" | "entered" | "refused";

/**
 * Follows what an RFB server says to a viewer until it is clear whether it let the viewer in. The server offers VncAuth
 * and nothing else.
 */
export class RfbHandshake {
  #said: Buffer = Buffer.alloc(0);
  #outcome: RfbOutcome = "pending";

  get outcome(): RfbOutcome {
    return this.#outcome;
  }

  /** @param chunk What the server said next. */
  read(chunk: Buffer): RfbOutcome {
    if (this.#outcome !== "pending") return this.#outcome;
    this.#said = Buffer.concat([this.#said, chunk]);
    this.#outcome = judge(this.#said);
    if (this.#outcome !== "pending") this.#said = Buffer.alloc(0);
    return this.#outcome;
  }
}

function judge(said: Buffer): RfbOutcome {
  if (said.length <= VERSION_BYTES) return "pending";
  // From version 3.7 on a count of types and the types, before it the type in 32 bits; no type is a refusal in both.
  const isNew = said[VERSION_BYTES] !== 0;
  const typeBytes = isNew ? 2 : 4;
  if (said.length < VERSION_BYTES + typeBytes) return "pending";
  if (said[VERSION_BYTES + typeBytes - 1] !== VNC_AUTH) return "refused";
  const result = VERSION_BYTES + typeBytes + CHALLENGE_BYTES;
  if (said.length < result + RESULT_BYTES) return "pending";
  return said.readUInt32BE(result) === 0 ? "entered" : "refused";
}
