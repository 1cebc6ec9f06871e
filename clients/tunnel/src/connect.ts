import type { IncomingMessage } from "node:http";
import { WebSocket } from "ws";
import { toPlainText, TunnelFailure } from "./failure.ts";

export const HANDSHAKE_MS = 15_000;
const MAX_REFUSAL_BYTES = 16 * 1024;

const UNKNOWN_SIGNER = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** A WebSocket that is connecting. Listeners added after the socket has opened may miss the first message. */
type Connecting = {
  readonly socket: WebSocket;
  /** Rejects with a TunnelFailure if the connection fails. Later errors only close the socket. */
  readonly opened: Promise<void>;
};

/** Starts connecting to a WebSocket. @param maxMessageBytes Longer messages close the connection. */
export function connect(url: URL, maxMessageBytes: number): Connecting {
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
  // Chromium's messages compress poorly, and images are already compressed.
  const options = { handshakeTimeout: HANDSHAKE_MS, perMessageDeflate: false, maxPayload: maxMessageBytes };
  // An agent would reuse a rejected handshake's connection for the next request.
  const socket = new WebSocket(url, { ...options, agent: false });
  socket.once("open", resolve);
  socket.on("error", (error) => reject(toFailure(url, error)));
  socket.once("unexpected-response", (_, answer) => {
    void readRefusal(url, answer).then(reject);
  });
  return { socket, opened };
}

/** Converts a response other than 101 to a failure. */
async function readRefusal(url: URL, answer: IncomingMessage): Promise<TunnelFailure> {
  const { statusCode: status = 0, statusMessage = "" } = answer;
  const reason = toPlainText(readReason(await readStart(answer)) ?? `${status} ${statusMessage}`);
  if (status === 404) {
    const text = `${url.host} has no browser or desktop at this address (${reason}). It may have closed.`;
    return new TunnelFailure("NotFound", text);
  }
  // Proxies send 5xx statuses when the server is unreachable.
  if (status >= 500) return new TunnelFailure("Unreachable", `${url.host} can't connect now (${reason}).`);
  const hint = status >= 300 && status < 400 && url.protocol === "ws:" ? suggestOther("ws:") : "";
  return new TunnelFailure("Refused", `${url.host} refused the connection (${reason}).${hint}`);
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
    // The body is incomplete. Use the received chunks.
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Returns the status, name and message from a contract-defined error body. Returns undefined for other bodies. */
function readReason(body: string): string | undefined {
  try {
    const { status, name, message } = JSON.parse(body) as Record<string, unknown>;
    return typeof message === "string" ? `${String(status)} ${String(name)}: ${message}` : undefined;
  } catch {
    return undefined;
  }
}

/** Converts a connection error to a failure. */
export function toFailure({ host, hostname, protocol }: URL, error: Error & { code?: string }): TunnelFailure {
  const { code = "" } = error;
  // The message may contain text from the server.
  const message = toPlainText(error.message);
  const fail = (name: "Refused" | "Unreachable", text: string): TunnelFailure =>
    new TunnelFailure(name, text, { cause: error });
  if (UNKNOWN_SIGNER.has(code)) {
    const remedy = "If you use your own CA, set NODE_EXTRA_CA_CERTS to its certificate file.";
    return fail("Refused", `The certificate of ${host} is signed by an unknown CA. ${remedy}`);
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID" || code.startsWith("CERT_")) {
    return fail("Refused", `The certificate of ${host} is not valid: ${message}`);
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return fail("Unreachable", `The host ${hostname} does not exist.`);
  if (code === "ECONNREFUSED") return fail("Unreachable", `Nothing listens on ${host}.`);
  if (/handshake has timed out/.test(message)) {
    return fail("Unreachable", `${host} did not answer within ${HANDSHAKE_MS / 1000} s.`);
  }
  const hint = code === "EPROTO" || code === "ECONNRESET" ? suggestOther(protocol) : "";
  return fail("Unreachable", `The connection to ${host} failed: ${message || code}.${hint}`);
}

function suggestOther(protocol: string): string {
  return ` Does the address need ${protocol === "wss:" ? "ws:" : "wss:"}// instead of ${protocol}//?`;
}
