import "server-only";
import ipaddr from "ipaddr.js";

const HOPS = /^\d{1,2}$/;

/** Whether a text is a usable TRUST_PROXY: empty, a number of proxies, or addresses and CIDRs. */
export function isProxySetting(text: string): boolean {
  if (text === "" || HOPS.test(text)) return true;
  return text.split(",").every((item) => isRange(item.trim()));
}

/**
 * Returns the IP address of a connection's client. `X-Forwarded-For` is trusted only as far as `trustProxy` allows:
 * with a number of proxies the entry of the outermost proxy, with CIDRs the last entry that is not a proxy. Entries
 * to the left of it can be forged by the client. IPv4-mapped IPv6 addresses are returned as IPv4. null when the
 * connection has no address.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trustProxy: string,
): string | null {
  const direct = normalizeAddress(peer ?? "");
  if (trustProxy === "" || forwardedFor === undefined) return direct;

  const entries = forwardedFor.split(",").map((entry) => normalizeAddress(entry));
  const trusts = HOPS.test(trustProxy) ? trustHops(Number(trustProxy)) : trustRanges(trustProxy);
  let client = direct;
  for (let hop = 0; trusts(client, hop); hop++) {
    const entry = entries[entries.length - 1 - hop];
    if (entry === undefined || entry === null) break;
    client = entry;
  }
  return client;
}

/** Whether a connection comes from a trusted proxy. Behind a number of proxies every connection does. */
export function isTrustedProxy(peer: string | undefined, trustProxy: string): boolean {
  if (trustProxy === "") return false;
  const trusts = HOPS.test(trustProxy) ? trustHops(Number(trustProxy)) : trustRanges(trustProxy);
  return trusts(normalizeAddress(peer ?? ""), 0);
}

/**
 * Returns the network that counts as one client: an IPv4 address, or the /64 network of an IPv6 address, because one
 * host has many IPv6 addresses.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString()}/64`;
}

type Trusts = (address: string | null, hop: number) => boolean;

function trustHops(hops: number): Trusts {
  return (_, hop) => hop < hops;
}

function trustRanges(list: string): Trusts {
  const ranges = list.split(",").map((item) => toRange(item.trim()));
  return (address) => {
    if (address === null) return false;
    const parsed = ipaddr.parse(address);
    return ranges.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
  };
}

function isRange(text: string): boolean {
  return ipaddr.isValid(text) || ipaddr.isValidCIDR(text);
}

function toRange(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

// Proxies write `1.2.3.4`, `1.2.3.4:5678`, `2001:db8::1` and `[2001:db8::1]:5678`.
function normalizeAddress(text: string): string | null {
  const trimmed = text.trim();
  const bare =
    /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1] ??
    /^([\d.]+):\d+$/.exec(trimmed)?.[1] ??
    trimmed.split("%", 1)[0];
  if (bare === undefined || !ipaddr.isValid(bare)) return null;
  return ipaddr.process(bare).toString();
}
