import ipaddr from "ipaddr.js";

/** A network: its address and the number of its leading bits that count. */
export type AddressRange = readonly [ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/**
 * Reads an address such as `10.0.0.1` or `fd00::1`, or a range such as `10.0.0.0/8`.
 * @returns Undefined when it is neither.
 */
export function readAddressRange(text: string): AddressRange | undefined {
  const [, host = "", bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = readAddress(host);
  if (address === undefined) return undefined;
  const all = address.kind() === "ipv4" ? 32 : 128;
  // ::ffff:10.0.0.0/104 means 10.0.0.0/8. Fewer than 96 bits would include addresses that are not IPv4.
  const isMapped = all === 32 && host.includes(":");
  const length = bits === undefined ? all : Number(bits) - (isMapped ? 96 : 0);
  return length < 0 || length > all ? undefined : [address, length];
}

/** Reads an address. `::ffff:10.0.0.1` is read as the IPv4 address inside. Undefined for other text. */
export function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // The zone of fe80::1%eth0 names an interface of this machine; it is not part of the peer's address.
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
 * The network of a customer, for limits: one IPv4 address, or the /64 of an IPv6 address.
 * @param groups How many groups of 16 bits count. With 3, the last byte of an IPv4 address doesn't count.
 * @returns The beginning of `text` if it isn't an address.
 */
export function toNetwork(text: string, groups: 3 | 4 = 4): string {
  const address = readAddress(text);
  if (address === undefined) return text.slice(0, 64);
  if (address instanceof ipaddr.IPv4)
    return groups === 4 ? address.toString() : address.toString().replace(/\d+$/, "0/24");
  const parts = address.parts.slice(0, groups).map((part) => part.toString(16));
  return `${parts.join(":")}::/${groups * 16}`;
}
