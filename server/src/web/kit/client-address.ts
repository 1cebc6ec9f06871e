import { type AddressRange, isInRanges, readAddress } from "../../domain/network/address-range.ts";

/** What a client's address is called when there is none to tell: that of a Unix socket. */
const UNKNOWN = "unknown";

/**
 * Where a request comes from: the last address on its way that is not one of the operator's proxies. What stands left of it
 * in X-Forwarded-For anybody may have written.
 * @param peer The other end of the connection; undefined for a Unix socket, which is not trusted.
 * @param forwardedFor X-Forwarded-For: each proxy adds where it got the request from, at the right.
 * @returns The address in its one spelling, v4-mapped ones as IPv4.
 */
export function toClientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: readonly AddressRange[],
): string {
  let client = readAddress(peer ?? "");
  if (client === undefined) return UNKNOWN;
  const entries = forwardedFor?.split(",") ?? [];
  while (isInRanges(client, trusted)) {
    const before = readEntry(entries.pop() ?? "");
    if (before === undefined) break;
    client = before;
  }
  return client.toString();
}

/**
 * Whether the client spoke plain http with a proxy of the operator's, as far as that says it.
 * @param forwardedProto X-Forwarded-Proto. Of several words the last counts, which the proxy at the other end wrote itself.
 */
export function isForwardedInClear(
  peer: string | undefined,
  forwardedProto: string | undefined,
  trusted: readonly AddressRange[],
): boolean {
  const address = readAddress(peer ?? "");
  if (address === undefined || !isInRanges(address, trusted)) return false;
  return forwardedProto?.split(",").pop()?.trim().toLowerCase() === "http";
}

/** `192.0.2.1`, `192.0.2.1:567`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:443`. */
function readEntry(text: string): ReturnType<typeof readAddress> {
  const entry = text.trim();
  const [, inBrackets, v4] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(entry) ?? [];
  if (inBrackets !== undefined) return inBrackets.includes(":") ? readAddress(inBrackets) : undefined;
  return readAddress(v4 ?? entry);
}
