/** Lengths of the server's messages, each with its section in RFC 6143. */
const VERSION_BYTES = 12; // 7.1.1
const CHALLENGE_BYTES = 16; // 7.2.2
const RESULT_BYTES = 4; // 7.1.3

const VNC_AUTH = 2;

type RfbOutcome = "pending" | "authenticated" | "refused";

/** Parses an RFB server's messages until the server accepts or refuses the viewer. The server offers only VncAuth. */
export class RfbHandshake {
  outcome: RfbOutcome = "pending";
  #received: Buffer = Buffer.alloc(0);

  /** @param chunk The next bytes from the server. */
  read(chunk: Buffer): RfbOutcome {
    if (this.outcome !== "pending") return this.outcome;
    this.#received = Buffer.concat([this.#received, chunk]);
    this.outcome = readOutcome(this.#received);
    if (this.outcome !== "pending") this.#received = Buffer.alloc(0);
    return this.outcome;
  }
}

function readOutcome(received: Buffer): RfbOutcome {
  if (received.length <= VERSION_BYTES) return "pending";
  // Since version 3.7, the server sends a count and a list of types. Earlier versions send one type in 32 bits. In both
  // formats, zero means that the server refuses the viewer.
  const isNew = received[VERSION_BYTES] !== 0;
  const typeBytes = isNew ? 2 : 4;
  if (received.length < VERSION_BYTES + typeBytes) return "pending";
  if (received[VERSION_BYTES + typeBytes - 1] !== VNC_AUTH) return "refused";
  const result = VERSION_BYTES + typeBytes + CHALLENGE_BYTES;
  if (received.length < result + RESULT_BYTES) return "pending";
  return received.readUInt32BE(result) === 0 ? "authenticated" : "refused";
}
