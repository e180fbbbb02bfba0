import "server-only";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Private targets that the operator allows: exact hosts, and blocks of addresses. */
export interface AllowList {
  hosts: ReadonlySet<string>;
  blocks: readonly [Address, number][];
}

const HOST_NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

// All other special ranges (link-local, multicast, tunnels that carry an IPv4 address, …) stay blocked, whatever is
// listed.
const OPENABLE_RANGES: ReadonlySet<string> = new Set([
  "loopback",
  "private",
  "uniqueLocal",
  "carrierGradeNat",
]);

// Metadata addresses of Azure, Alibaba, AWS and Google, which return the machine's credentials. Not all are
// link-local.
const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  "168.63.129.16",
  "100.100.100.200",
  "fd00:ec2::254",
  "fd20:ce::254",
]);

const LOOPBACK = "127.0.0.1";
const GLOBAL_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/** Parses hosts, addresses and CIDRs. Throws on an invalid entry. */
export function parseAllowList(entries: readonly string[]): AllowList {
  const hosts = new Set<string>();
  const blocks: [Address, number][] = [];
  for (const entry of entries) {
    const host = canonicalHost(entry);
    if (ipaddr.isValid(host)) blocks.push(blockOf(host));
    else if (ipaddr.isValidCIDR(entry)) blocks.push(ipaddr.parseCIDR(entry));
    else if (HOST_NAME.test(host)) hosts.add(host);
    else throw new Error(`"${entry}" is not a host, an IP address or a CIDR`);
  }
  return { hosts, blocks };
}

/**
 * Whether a connection to `address`, which `host` resolved to, is allowed. Metadata and link-local addresses never
 * are.
 */
export function isAllowedTarget(host: string, address: string, allow: AllowList): boolean {
  const capability = capabilityOf(address);
  if (capability === "openable") return allow.hosts.has(canonicalHost(host)) || isListed(address, allow);
  return capability === "public";
}

/**
 * Whether the allowlist contains a URL's host by name, or as an address within a block. `localhost` also matches its
 * address.
 */
export function isNamed(host: string, allow: AllowList): boolean {
  const name = canonicalHost(host);
  if (allow.hosts.has(name)) return true;
  const address = name === "localhost" ? LOOPBACK : name;
  return ipaddr.isValid(address) && capabilityOf(address) === "openable" && isListed(address, allow);
}

/** Whether a host is rejected because of its spelling. Names are checked again after they are resolved. */
export function isRefusedHost(host: string, allow: AllowList): boolean {
  const name = canonicalHost(host);
  if (ipaddr.isValid(name)) return !isAllowedTarget(name, name, allow);
  const isLoopbackName = name === "localhost" || name.endsWith(".localhost");
  return name === "" || (isLoopbackName && !isNamed(name, allow));
}

/** Normalizes a host to one spelling: lower case, no brackets, no trailing dot. */
export function canonicalHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
}

function capabilityOf(text: string): "public" | "openable" | "never" {
  if (!ipaddr.isValid(text)) return "never";
  const address = ipaddr.process(text);
  if (METADATA_ADDRESSES.has(address.toString())) return "never";
  const range = address.range();
  if (OPENABLE_RANGES.has(range)) return "openable";
  if (range !== "unicast") return "never";
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6) ? "public" : "never";
}

function isListed(text: string, allow: AllowList): boolean {
  const address = ipaddr.process(text);
  return allow.blocks.some((block) => block[0].kind() === address.kind() && address.match(block));
}

function blockOf(text: string): [Address, number] {
  const address = ipaddr.process(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}
