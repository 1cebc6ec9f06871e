import { RequestError } from "proxy-chain";
import type { AddressKind } from "../../domain/address-policy.ts";

type RefusedKind = Exclude<AddressKind, "public"> | "own";

const WHAT: Readonly<Record<RefusedKind, string>> = {
  loopback: "a loopback address",
  private: "a private address",
  "link-local": "a link-local address",
  shared: "a shared address (carrier-grade NAT)",
  multicast: "a multicast address",
  unspecified: "the unspecified address",
  broadcast: "the broadcast address",
  reserved: "a reserved address",
  own: "an address of the machine that runs the browsers",
};

/** What proxy-chain answers for the same errors on plain requests. */
const STATUS: Readonly<Record<string, number>> = {
  ENOTFOUND: 593,
  EAI_AGAIN: 593,
  ECONNREFUSED: 594,
  ECONNRESET: 595,
  EPIPE: 596,
  ETIMEDOUT: 504,
};

/** The upstream proxy takes no, or not these, credentials: proxy-chain's own status for it. */
export const UPSTREAM_AUTH_FAILED = 597;
export const UPSTREAM_FAILED = 599;

/** A host whose addresses browsers may not reach. */
export class AddressRefused extends Error {
  /** @param subject The host as the browser spelled it, with what it is to the browser. */
  constructor(subject: string, address: string, kind: RefusedKind) {
    const which = subject.includes(address) ? "" : ` ${address},`;
    super(`${subject} is${which} ${WHAT[kind]}.`);
    this.name = "AddressRefused";
  }
}

/** Puts an error into the answer that a browser gets: a page where it shows one, plain text to a CONNECT. */
export function toRequestError(error: unknown, isPage: boolean): unknown {
  if (error instanceof AddressRefused) {
    return isPage
      ? new RequestError(toPage(error), 403, { "content-type": "text/html; charset=utf-8" })
      : new RequestError(`${error.message} ${ADVICE}\n`, 403, {});
  }
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (typeof code !== "string") return error;
  return new RequestError(`The connection failed (${code}).\n`, STATUS[code] ?? UPSTREAM_FAILED, {});
}

const ADVICE =
  "Browsers of this service reach public addresses only. Whoever runs it can allow private ones with RBS_EGRESS=any.";

function toPage(refused: AddressRefused): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Private address refused</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 40em; margin: 4em auto; padding: 0 1em }</style>
<h1>Private address refused</h1>
<p>${escapeHtml(refused.message)}</p>
<p>${escapeHtml(ADVICE).replace("RBS_EGRESS=any", "<code>RBS_EGRESS=any</code>")}</p>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
