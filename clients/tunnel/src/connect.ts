import type { IncomingMessage } from "node:http";
import { WebSocket } from "ws";
import { TunnelFailure } from "./failure.ts";
import { toPlainText } from "./plain-text.ts";

const HANDSHAKE_MS = 15_000;
const MAX_REFUSAL_BYTES = 16 * 1024;

const UNKNOWN_SIGNER = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** A WebSocket on its way: what listens for its messages has to do so before it is open, or it may miss the first. */
export type Connecting = {
  readonly socket: WebSocket;
  /** Rejects with a TunnelFailure when the server does not take it; errors after that are seen as the closing. */
  readonly opened: Promise<void>;
};

/** @param maxMessageBytes A longer message ends the connection. */
export function connect(url: URL, maxMessageBytes: number): Connecting {
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
  // What Chromium sends compresses no better than it is, and pictures are compressed already.
  const options = { handshakeTimeout: HANDSHAKE_MS, perMessageDeflate: false, maxPayload: maxMessageBytes };
  // Without an agent, which would keep the connection of a refusal for the next request.
  const socket = new WebSocket(url, { ...options, agent: false });
  socket.once("open", resolve);
  socket.on("error", (error) => reject(toFailure(url, error)));
  socket.once("unexpected-response", (_, answer) => {
    void readRefusal(url, answer).then(reject);
  });
  return { socket, opened };
}

/** What an answer that is no 101 means. */
async function readRefusal(url: URL, answer: IncomingMessage): Promise<TunnelFailure> {
  const { statusCode: status = 0, statusMessage = "" } = answer;
  const told = toPlainText(readTold(await readStart(answer)) ?? `${status} ${statusMessage}`);
  if (status === 404) {
    return new TunnelFailure("NotFound", `${url.host} knows nothing at this address (${told}): has it ended?`);
  }
  // A proxy before a server that is gone answers for it.
  if (status >= 500) return new TunnelFailure("Unreachable", `${url.host} cannot connect now (${told}).`);
  const hint = status >= 300 && status < 400 && url.protocol === "ws:" ? " Is it wss:// rather than ws://?" : "";
  return new TunnelFailure("Refused", `${url.host} refuses the connection (${told}).${hint}`);
}

async function readStart(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MAX_REFUSAL_BYTES) break;
    }
  } catch {
    // Cut off; what has come may do.
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The contract's error body; undefined for any other. */
function readTold(body: string): string | undefined {
  try {
    const { status, name, message } = JSON.parse(body) as Record<string, unknown>;
    return typeof message === "string" ? `${String(status)} ${String(name)}: ${message}` : undefined;
  } catch {
    return undefined;
  }
}

/** What an error on the way to a server means. */
export function toFailure({ host, hostname, protocol }: URL, error: Error & { code?: string }): TunnelFailure {
  const { code = "" } = error;
  // It may repeat what the server sent.
  const message = toPlainText(error.message);
  const fail = (name: "Refused" | "Unreachable", text: string): TunnelFailure =>
    new TunnelFailure(name, text, { cause: error });
  if (UNKNOWN_SIGNER.has(code)) {
    const remedy = "If it is your own, name the file of its CA in NODE_EXTRA_CA_CERTS.";
    return fail("Refused", `The certificate of ${host} is signed by nobody who is known here. ${remedy}`);
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID" || code.startsWith("CERT_")) {
    return fail("Refused", `The certificate of ${host} is not valid: ${message}`);
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return fail("Unreachable", `There is no host ${hostname}.`);
  if (code === "ECONNREFUSED") return fail("Unreachable", `Nothing listens on ${host}.`);
  if (/handshake has timed out/.test(message)) {
    return fail("Unreachable", `${host} did not answer in ${HANDSHAKE_MS / 1000} s.`);
  }
  const other = protocol === "wss:" ? "ws://" : "wss://";
  const hint = code === "EPROTO" || code === "ECONNRESET" ? ` Is it ${other} rather than ${protocol}//?` : "";
  return fail("Unreachable", `The connection to ${host} failed: ${message || code}.${hint}`);
}
