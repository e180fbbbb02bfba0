import "server-only";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import { env } from "@/lib/platform/env";

const POSTGRES_PORT = 5432;

/**
 * Whether a connection would end at this service itself or at its PostgreSQL, which requests on behalf of users must
 * not reach. On this machine both ports are the service's; on other private hosts only that of PostgreSQL.
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
