import "server-only";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { fail } from "@/lib/platform/errors/errors";
import { memoize } from "@/lib/platform/tasks/memoize";

const MAX_RANGES = 50;

/** The IP addresses and CIDRs that a token's requests may come from, as CIDRs; empty = any. */
export const AllowedAddresses = z
  .array(
    z
      .string()
      .trim()
      .transform((text, { addIssue }) => {
        const cidr = toCidr(text);
        if (cidr !== null) return cidr;
        addIssue(`"${text}" is not an IP address or CIDR`);
        return z.NEVER;
      }),
  )
  .max(MAX_RANGES);

/** Rejects a request from an IP address outside the ranges; empty = any address is allowed. Errors: access_denied. */
export function requireAddress(ranges: readonly string[], address: string | null): void {
  if (ranges.length === 0) return;
  if (address !== null && ipaddr.isValid(address)) {
    const from = ipaddr.process(address);
    if (ranges.some((range) => contains(parsed(range), from))) return;
  }
  fail("access_denied", `this token can't be used from the IP address ${address ?? "of this connection"}`);
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

const parsed = memoize(1000, (cidr): Range => ipaddr.parseCIDR(cidr));

function contains(range: Range, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return range[0].kind() === address.kind() && address.match(range);
}

function toCidr(text: string): string | null {
  // Short forms such as 10.1 are rejected: users do not expect them to mean 10.0.0.1.
  const isShort = ipaddr.IPv4.isValid(text) && !ipaddr.IPv4.isValidFourPartDecimal(text);
  if (ipaddr.isValid(text) && !isShort) {
    const address = ipaddr.process(text);
    return `${address.toString()}/${address.kind() === "ipv4" ? 32 : 128}`;
  }
  return ipaddr.isValidCIDR(text) ? text.toLowerCase() : null;
}
