import { z } from "zod";
import { readHost } from "../domain/network/address-policy.ts";
import { readAddressRange } from "../domain/network/address-range.ts";
import {
  ALL_PORTS,
  type DomainRule,
  type EgressRules,
  type PortRange,
  WEB_PORTS,
} from "../domain/network/egress-rules.ts";
import { listOf } from "./setting-kinds.ts";

/** Addresses and CIDR ranges, separated by commas. */
export const addressRanges = listOf(
  readAddressRange,
  "an address",
  "is neither an IP address nor a CIDR range such as 10.0.0.0/8",
);

const portRanges = listOf(readPortRange, "a port", "is neither a port, nor a range such as 8000-8999, nor any");

const domainRules = listOf(readDomainRule, "a domain", "is not a domain such as example.com or !example.com");

export const egressSettings = z.strictObject({
  RBS_EGRESS: z.enum(["public", "any"], "must be public or any").default("public"),
  RBS_EGRESS_DENY: addressRanges.default([]),
  RBS_EGRESS_PORTS: portRanges.optional(),
  RBS_EGRESS_DOMAINS: domainRules.default([]),
});

/** Allows all ports by default if browsers may reach private addresses: development services use arbitrary ports. */
export function toEgressRules(values: z.infer<typeof egressSettings>): EgressRules {
  const { RBS_EGRESS: policy, RBS_EGRESS_PORTS: ports = policy === "any" ? [ALL_PORTS] : WEB_PORTS } = values;
  return { policy, denied: values.RBS_EGRESS_DENY, ports, domains: values.RBS_EGRESS_DOMAINS };
}

/** Reads `443`, `8000-8999` or `any`. */
function readPortRange(text: string): PortRange | undefined {
  if (text === "any") return ALL_PORTS;
  const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
  const range = [Number(first), Number(last)] as const;
  return range[0] >= 1 && range[0] <= range[1] && range[1] <= ALL_PORTS[1] ? range : undefined;
}

/** Reads `example.com`, which allows the domain, or `!example.com`, which blocks it. A leading `*.` has no effect. */
function readDomainRule(text: string): DomainRule | undefined {
  const [, mark, domain = ""] = /^(!?)(?:\*\.)?([^!*]+)$/.exec(text) ?? [];
  const host = readHost(domain);
  if (host === undefined) return undefined;
  return { name: host.is === "address" ? host.address : host.name, isAllowed: mark === "" };
}
