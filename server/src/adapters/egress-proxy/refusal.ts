import { RequestError } from "proxy-chain";
import type { AddressKind } from "../../domain/network/address-policy.ts";

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

/** A host whose addresses browsers may not reach. */
export class AddressRefused extends Error {
  /** @param subject The host as the browser spelled it, with what it is to the browser. */
  constructor(subject: string, address: string, kind: RefusedKind) {
    const which = subject.includes(address) ? "" : ` ${address},`;
    super(`${subject} is${which} ${WHAT[kind]}.`);
    this.name = "AddressRefused";
  }
}

// proxy-chain's statuses for what went wrong with an upstream proxy; no site answers with them.
export const UPSTREAM_NOT_OK = 590;
export const UPSTREAM_AUTH_FAILED = 597;
export const UPSTREAM_FAILED = 599;

/** What went wrong on the way, by the error's code: proxy-chain's status, and words that follow "… the site" or "… its proxy". */
const CAUSES: Readonly<Record<string, readonly [status: number, words: string]>> = {
  ENOTFOUND: [593, "has a name without address"],
  EAI_AGAIN: [593, "has a name that could not be looked up"],
  ECONNREFUSED: [594, "refuses connections"],
  ECONNRESET: [595, "broke the connection off"],
  EPIPE: [596, "broke the connection off"],
  ETIMEDOUT: [504, "did not answer in time"],
};

/** Why a request gets no answer from the network: what its browser is told instead. */
export class Refusal extends RequestError {
  readonly title: string;
  readonly details: readonly string[];

  constructor(status: number, title: string, ...details: readonly string[]) {
    super(`${details.join(" ")}\n`, status, {});
    this.title = title;
    this.details = details;
  }
}

/** What a browser is told that nobody has opened yet: nobody is there to see it. */
export function notInUse(): Refusal {
  return new Refusal(503, "Not in use", "This browser has no way to the network until somebody opens it.");
}

export function authenticationFailed(): Refusal {
  const refused = "The browser's proxy does not accept the user name and password it was given, or wants some.";
  return new Refusal(UPSTREAM_AUTH_FAILED, PROXY_ERROR, refused);
}

/** @param answer What the proxy said instead of connecting. */
export function targetNotReached(answer: string): Refusal {
  return new Refusal(
    UPSTREAM_NOT_OK,
    PROXY_ERROR,
    `The browser's proxy did not reach the site: it answered ${answer}.`,
  );
}

/**
 * Puts an error into what a browser is told.
 * @param isProxied Whether the connection went to a proxy, not to the site.
 * @returns Errors that say nothing about the network as they are.
 */
export function toRefusal(error: unknown, isProxied: boolean): unknown {
  if (error instanceof AddressRefused) return new Refusal(403, "Private address refused", error.message, ADVICE);
  if (error instanceof RequestError) return error;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (typeof code !== "string") return error;
  const [status, words] = CAUSES[code] ?? [UPSTREAM_FAILED, "could not be connected to"];
  const [title, subject] = isProxied ? [PROXY_ERROR, "The browser's proxy"] : ["Site not reached", "The site"];
  return new Refusal(status, title, `${subject} ${words} (${code}).`);
}

const PROXY_ERROR = "Proxy error";

const ADVICE =
  "Browsers of this service reach public addresses only. Whoever runs it can allow private ones with RBS_EGRESS=any.";

export function toPage({ title, details }: Refusal): string {
  const paragraphs = details.map((text) => `<p>${escapeHtml(text)}</p>`).join("\n");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 40em; margin: 4em auto; padding: 0 1em }</style>
<h1>${escapeHtml(title)}</h1>
${paragraphs.replace("RBS_EGRESS=any", "<code>RBS_EGRESS=any</code>")}
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
