import { type AddressRange, isInRanges, readAddress } from "./address-range.ts";

/** Clients of a Unix socket have no address. */
const UNKNOWN = "unknown";

/**
 * Returns the client's address: the request's rightmost address that isn't a trusted proxy. The client can forge all
 * entries to the left of that address in X-Forwarded-For.
 * @param peer The address of the peer; undefined for a Unix socket, which isn't trusted.
 * @param forwardedFor X-Forwarded-For. Each proxy appends the address of its peer.
 * @returns The normalized address. IPv4-mapped addresses are returned as IPv4.
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
 * Whether a trusted proxy reports that the client uses plain HTTP.
 * @param forwardedProto X-Forwarded-Proto. The last value counts, because the nearest proxy wrote it.
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

/** Reads `192.0.2.1`, `192.0.2.1:567`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:443`. */
function readEntry(text: string): ReturnType<typeof readAddress> {
  const entry = text.trim();
  const [, inBrackets, v4] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(entry) ?? [];
  if (inBrackets !== undefined) return inBrackets.includes(":") ? readAddress(inBrackets) : undefined;
  return readAddress(v4 ?? entry);
}
