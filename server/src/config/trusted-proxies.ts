import { z } from "zod";
import { type AddressRange, readAddressRange } from "../domain/network/address-range.ts";

/** The reverse proxies whose forwarding headers the server believes: addresses and CIDR ranges, separated by commas. */
export const trustedProxyList = z.string().transform((value, context): readonly AddressRange[] => {
  const entries = value.split(",").map((part) => part.trim());
  const named = entries.filter((text) => text !== "");
  if (named.length === 0) context.addIssue("must contain an address");
  return named.flatMap((text) => {
    const range = readAddressRange(text);
    if (range !== undefined) return [range];
    const message = "is neither an IP address nor a CIDR range such as 10.0.0.0/8";
    context.addIssue({ code: "custom", path: [JSON.stringify(text)], message });
    return [];
  });
});
