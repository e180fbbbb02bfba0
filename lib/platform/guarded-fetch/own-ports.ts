import "server-only";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import { env } from "@/lib/platform/env";

const POSTGRES_PORT = 5432;

/**
 * Whether the connection would reach Trunkline itself or its PostgreSQL, which requests on behalf of users must not
 * do. On this machine both ports belong to Trunkline. On other private hosts only PostgreSQL's port does.
 */
export function isOwnPort(address: string, port: number): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (port === databasePort() && parsed.range() !== "unicast") return true;
  return isThisMachine(parsed) && (port === env().PORT || port === databasePort());
}

function isThisMachine(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() === "loopback" || address.range() === "unspecified") return true;
  const text = address.toString();
  return Object.values(networkInterfaces()).some((own) =>
    own?.some((entry) => ipaddr.process(entry.address).toString() === text),
  );
}

function databasePort(): number {
  return Number(URL.parse(env().DATABASE_URL)?.port || POSTGRES_PORT);
}
