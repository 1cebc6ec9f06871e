import ipaddr from "ipaddr.js";
import type { components } from "@remote-browser/contract/types";
import { Failure } from "../failure.ts";
import { Mistakes } from "../mistakes.ts";

/** The proxy that a browser's traffic goes through. */
export type UpstreamProxy = {
  readonly scheme: "http" | "https" | "socks5";
  /** A name or an address, without scheme, port or brackets. */
  readonly host: string;
  readonly port: number;
  readonly credentials: { readonly username: string; readonly password: string } | undefined;
  /** Whether the proxy resolves sites' names, and so determines the addresses that browsers reach. Set by operators. */
  readonly isResolver?: boolean;
};

/** The prefixes of proxy addresses. */
export const SCHEMES: ReadonlyMap<string, UpstreamProxy["scheme"]> = new Map([
  ["http://", "http"],
  ["https://", "https"],
  ["socks5://", "socks5"],
  // curl's name for SOCKS proxies that resolve names. This service always lets SOCKS proxies resolve names.
  ["socks5h://", "socks5"],
]);

/** @throws {Failure} `BadRequest`, with a path relative to the proxy, for an invalid host or a missing user name. */
export function readProxy(wire: components["schemas"]["Proxy"]): UpstreamProxy {
  const mistakes = new Mistakes();
  const read = mistakes.attempt(() => readHost(wire.Host));
  const username = wire.Username ?? undefined;
  const password = wire.Password ?? undefined;
  if (username === undefined && password !== undefined) {
    mistakes.attempt(() => {
      throw refusal("/Password", "A proxy password requires a Username.");
    });
  }
  mistakes.throwIfAny();
  return {
    scheme: read?.scheme ?? "http",
    host: read?.host ?? "",
    port: Number(wire.Port),
    credentials: username === undefined ? undefined : { username, password: password ?? "" },
  };
}

function readHost(text: string): Pick<UpstreamProxy, "scheme" | "host"> {
  for (const [prefix, scheme] of SCHEMES) {
    if (text.toLowerCase().startsWith(prefix)) return { scheme, host: readName(text.slice(prefix.length), text) };
  }
  return { scheme: "http", host: readName(text, text) };
}

/** Reads a host name, an IPv4 address, or an IPv6 address with or without brackets. */
function readName(name: string, whole: string): string {
  const bare = /^\[(.*)\]$/.exec(name)?.[1] ?? name;
  if (ipaddr.IPv6.isValid(bare)) return bare;
  if (/^[\w-]+(\.[\w-]+)*\.?$/.test(name) && name.length <= 253) return name;
  if (whole.includes("@")) {
    throw refusal("/Host", "The proxy host contains credentials: send them as Username and Password.");
  }
  throw refusal(
    "/Host",
    `The proxy host ${JSON.stringify(whole)} is not a host name or address; ` +
      "it may begin with http://, https:// or socks5://, and its port must be sent as Port.",
  );
}

function refusal(path: string, message: string): Failure {
  return new Failure("BadRequest", message, { errors: [{ path, message }] });
}
