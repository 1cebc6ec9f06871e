import ipaddr from "ipaddr.js";

/** A network address and its prefix length. */
export type AddressRange = readonly [ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/**
 * Reads an address such as `10.0.0.1` or `fd00::1`, or a range such as `10.0.0.0/8`.
 * @returns Undefined for other text.
 */
export function readAddressRange(text: string): AddressRange | undefined {
  const [, host = "", bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = readAddress(host);
  if (address === undefined) return undefined;
  const all = address.kind() === "ipv4" ? 32 : 128;
  // ::ffff:10.0.0.0/104 means 10.0.0.0/8. A prefix shorter than 96 bits would include addresses that aren't IPv4.
  const isMapped = all === 32 && host.includes(":");
  const length = bits === undefined ? all : Number(bits) - (isMapped ? 96 : 0);
  return length < 0 || length > all ? undefined : [address, length];
}

/** Parses an IP address, converting `::ffff:10.0.0.1` to IPv4. @returns Undefined for other text. */
export function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // The zone in fe80::1%eth0 names an interface on this machine, and isn't part of the peer's address.
  const address = text.replace(/(?<=:.*)%.*$/s, "");
  const last = address.slice(address.lastIndexOf(":") + 1);
  // ipaddr.js also accepts 0x7f.1 and 010.0.0.1, which other programs read differently.
  if ((last === address || last.includes(".")) && !ipaddr.IPv4.isValidFourPartDecimal(last)) return undefined;
  return ipaddr.isValid(address) ? ipaddr.process(address) : undefined;
}

export function isInRanges(address: ipaddr.IPv4 | ipaddr.IPv6, ranges: readonly AddressRange[]): boolean {
  return ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/**
 * Returns the network that counts as one client: an IPv4 address, or the /64 of an IPv6 address.
 * @param groups The IPv6 prefix length in 16-bit groups. With 3, an IPv4 address is also shortened, to a /24.
 * @returns The start of `text` if `text` isn't an address.
 */
export function toNetwork(text: string, groups: 3 | 4 = 4): string {
  const address = readAddress(text);
  if (address === undefined) return text.slice(0, 64);
  if (address instanceof ipaddr.IPv4)
    return groups === 4 ? address.toString() : address.toString().replace(/\d+$/, "0/24");
  const parts = address.parts.slice(0, groups).map((part) => part.toString(16));
  return `${parts.join(":")}::/${groups * 16}`;
}
