import { Failure } from "../failure.ts";
import { SCHEMES, readProxy, type UpstreamProxy } from "./upstream-proxy.ts";

/** Maximum length of a SOCKS user name or password (RFC 1929). */
const SOCKS_MAX_BYTES = 255;

/** A listed proxy, or the mistake in it. The mistake never quotes the proxy, which may contain secrets. */
type ListedProxy =
  | { readonly proxy: UpstreamProxy; readonly mistake?: never }
  | { readonly proxy?: never; readonly mistake: string };

/** The suffix for proxies that resolve the names of sites themselves. */
const IS_RESOLVER = "?resolve=proxy";

/**
 * Reads `scheme://user:password@host:port`, optionally with `?resolve=proxy`. Everything between the scheme and the
 * last `@` is the percent-encoded user name and password.
 */
export function readListedProxy(text: string): ListedProxy {
  const isResolver = text.endsWith(IS_RESOLVER);
  const url = isResolver ? text.slice(0, -IS_RESOLVER.length) : text;
  const [, scheme = "", rest = ""] = /^(\w+:\/\/)(.*?)\/?$/.exec(url) ?? [];
  const kind = SCHEMES.get(scheme.toLowerCase());
  if (kind === undefined) {
    return { mistake: "must begin with http://, https:// or socks5:// (write a comma in a password as %2C)" };
  }
  const at = rest.lastIndexOf("@");
  const [, host = "", port = ""] = /^(\[.*\]|[^:]*):(\d+)$/.exec(rest.slice(at + 1)) ?? [];
  if (!(Number(port) >= 1 && Number(port) <= 65_535)) {
    return { mistake: "must end in a host and a port from 1 to 65535, such as proxy.example:8080" };
  }
  const login = at === -1 ? undefined : readLogin(rest.slice(0, at), kind === "socks5");
  if (login?.mistake !== undefined) return login;
  try {
    const { username = null, password = null } = login ?? {};
    const proxy = readProxy({ Host: scheme + host, Port: port, Username: username, Password: password });
    return { proxy: isResolver ? { ...proxy, isResolver } : proxy };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { mistake: "has a host that is neither a name nor an address" };
  }
}

type Login =
  | { readonly username: string; readonly password: string; readonly mistake?: never }
  | { readonly mistake: string };

function readLogin(text: string, isSocks: boolean): Login {
  const [, user = "", secret = ""] = /^([^:]*):?(.*)$/s.exec(text) ?? [];
  try {
    const [username, password] = [decodeURIComponent(user), decodeURIComponent(secret)];
    const longest = Math.max(...[username, password].map((part) => Buffer.byteLength(part)));
    if (username === "") return { mistake: "has no user name before the @" };
    if (isSocks && longest > SOCKS_MAX_BYTES)
      return { mistake: "has a user name or password that is longer than 255 bytes" };
    if (!isSocks && username.includes(":")) return { mistake: "has a colon in its user name, which HTTP can't send" };
    return { username, password };
  } catch {
    return { mistake: "has a user name or password that is not percent-encoded (write % as %25)" };
  }
}
