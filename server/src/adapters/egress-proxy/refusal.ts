import { STATUS_CODES } from "node:http";
import type { AddressRefusal } from "../../domain/network/egress-rules.ts";

/** Statuses of refusals. Sites don't use 590 to 599, so programs can tell a refusal from a site's response. */
export const STATUS = {
  notAProxyRequest: 400,
  addressRefused: 403,
  internalError: 500,
  notInUse: 503,
  timedOut: 504,
  targetNotReached: 590,
  invalidStatus: 592,
  nameNotFound: 593,
  connectionRefused: 594,
  connectionReset: 595,
  brokenPipe: 596,
  authenticationFailed: 597,
  upstreamFailed: 599,
} as const;

const REASONS: Readonly<Record<number, string>> = {
  [STATUS.targetNotReached]: "Non Successful",
  [STATUS.invalidStatus]: "Status Code Out Of Range",
  [STATUS.nameNotFound]: "Not Found",
  [STATUS.connectionRefused]: "Connection Refused",
  [STATUS.connectionReset]: "Connection Reset",
  [STATUS.brokenPipe]: "Broken Pipe",
  [STATUS.authenticationFailed]: "Auth Failed",
  [STATUS.upstreamFailed]: "Upstream Error",
};

/** Status and predicate for each error code. Each sentence begins with "The site" or "The browser's proxy". */
const CAUSES: Readonly<Record<string, readonly [status: number, words: string]>> = {
  ENOTFOUND: [STATUS.nameNotFound, "has a name that doesn't resolve to an address"],
  EAI_AGAIN: [STATUS.nameNotFound, "has a name that could not be resolved"],
  ECONNREFUSED: [STATUS.connectionRefused, "refuses connections"],
  ECONNRESET: [STATUS.connectionReset, "closed the connection"],
  EPIPE: [STATUS.brokenPipe, "closed the connection"],
  ETIMEDOUT: [STATUS.timedOut, "did not answer in time"],
};

const KINDS: Readonly<Record<AddressRefusal, string>> = {
  loopback: "a loopback address",
  private: "a private address",
  "link-local": "a link-local address",
  shared: "a shared address (carrier-grade NAT)",
  multicast: "a multicast address",
  unspecified: "the unspecified address",
  broadcast: "the broadcast address",
  reserved: "a reserved address",
  own: "in a network of the machine that runs the browsers",
  cloud: "a cloud provider's internal address",
  denied: "an address that the operator blocks",
};

const BLOCKED = "Site blocked";
const PROXY_ERROR = "Proxy error";
const ADVICE =
  "Browsers of this service can reach only public addresses. The operator can allow private ones with RBS_EGRESS=any.";

/** A response that the proxy itself sends to a request: a status code and an explanation for users. */
export class Refusal extends Error {
  readonly status: number;
  readonly title: string;
  readonly details: readonly string[];

  constructor(status: number, title: string, ...details: readonly string[]) {
    super(details.join(" "));
    this.name = "Refusal";
    this.status = status;
    this.title = title;
    this.details = details;
  }

  /** The reason phrase of the status line. */
  get reason(): string {
    return REASONS[this.status] ?? STATUS_CODES[this.status] ?? "";
  }

  toPage(): string {
    const paragraphs = this.details.map((text) => `<p>${escapeHtml(text)}</p>`).join("\n");
    return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escapeHtml(this.title)}</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 40em; margin: 4em auto; padding: 0 1em }</style>
<h1>${escapeHtml(this.title)}</h1>
${paragraphs.replace("RBS_EGRESS=any", "<code>RBS_EGRESS=any</code>")}
</html>
`;
  }
}

export function notAProxyRequest(url: string): Refusal {
  return new Refusal(STATUS.notAProxyRequest, "Not a proxy request", `"${url}" is not a valid proxy request.`);
}

/** Returns the refusal for a warm browser that isn't assigned to an Open request yet. */
export function notInUse(): Refusal {
  return new Refusal(
    STATUS.notInUse,
    "Not in use",
    "This browser has no network access until an Open request uses it.",
  );
}

/** @param subject The host as the browser wrote it, and the host's role. */
export function addressRefused(subject: string, address: string, reason: AddressRefusal): Refusal {
  const which = subject.includes(address) ? "" : ` ${address},`;
  const sentence = `${subject} is${which} ${KINDS[reason]}.`;
  if (reason === "denied") return new Refusal(STATUS.addressRefused, BLOCKED, sentence);
  return new Refusal(STATUS.addressRefused, "Private address refused", sentence, ADVICE);
}

export function domainRefused(host: string): Refusal {
  return new Refusal(STATUS.addressRefused, BLOCKED, `The operator of this service blocks ${host}.`);
}

export function portRefused(port: number): Refusal {
  const sentence = `Browsers of this service can't connect to port ${port}.`;
  return new Refusal(STATUS.addressRefused, BLOCKED, sentence, "The operator can allow it with RBS_EGRESS_PORTS.");
}

export function tooManyConnections(): Refusal {
  const sentence = "This browser has reached its limit of network connections. Close some pages.";
  return new Refusal(STATUS.notInUse, "Too many connections", sentence);
}

export function authenticationFailed(): Refusal {
  const refused = "The browser's proxy requires a user name and password, or rejected the credentials it received.";
  return new Refusal(STATUS.authenticationFailed, PROXY_ERROR, refused);
}

/** @param answer Why the proxy didn't connect. */
export function targetNotReached(answer: string): Refusal {
  const failed = `The browser's proxy did not reach the site: the proxy responded with ${answer}.`;
  return new Refusal(STATUS.targetNotReached, PROXY_ERROR, failed);
}

export function notSocks(): Refusal {
  const failed = "The browser's proxy closed the connection, or does not speak SOCKS5.";
  return new Refusal(STATUS.upstreamFailed, PROXY_ERROR, failed);
}

/** Returns the refusal for a response that can't be relayed. */
export function invalidAnswer(status: number, detail: string): Refusal {
  return new Refusal(status, "Invalid answer", detail);
}

/**
 * Turns a network error into a refusal. Returns other errors unchanged.
 * @param isProxied Whether the connection was to a proxy, not to the site.
 */
export function toRefusal(error: unknown, isProxied: boolean): unknown {
  if (error instanceof Refusal) return error;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (typeof code !== "string") return error;
  const [status, words] = CAUSES[code] ?? [STATUS.upstreamFailed, "could not be reached"];
  const [title, subject] = isProxied ? [PROXY_ERROR, "The browser's proxy"] : ["Site not reached", "The site"];
  return new Refusal(status, title, `${subject} ${words} (${code}).`);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
