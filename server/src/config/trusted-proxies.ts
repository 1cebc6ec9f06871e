import { type AddressRange, readAddressRange } from "../domain/network/address-range.ts";

/**
 * Reads whose word about clients counts.
 * @param value Addresses and CIDR ranges, separated by commas; empty: nobody's.
 */
export function readTrustedProxies(value: string): {
  readonly ranges: readonly AddressRange[];
  readonly mistakes: readonly string[];
} {
  if (value === "") return { ranges: [], mistakes: [] };
  const entries = value.split(",").map((part) => part.trim());
  const read = entries.filter((text) => text !== "").map((text) => ({ text, range: readAddressRange(text) }));
  if (read.length === 0) return { ranges: [], mistakes: [`there is no address in ${JSON.stringify(value)}`] };
  return {
    ranges: read.flatMap(({ range }) => (range === undefined ? [] : [range])),
    mistakes: read.flatMap(({ text, range }) =>
      range === undefined
        ? [`${JSON.stringify(text)} is neither an IP address nor a CIDR range such as 10.0.0.0/8`]
        : [],
    ),
  };
}
