import "server-only";
import type { Connection } from "@/lib/adapters/transports/callback";
import { allTransports } from "@/lib/adapters/transports/registry";

/**
 * The throughput of the connection on each transport that has one, as JSON. The value of the line's own transport is its
 * `sends_per_second`, because the connection itself is sealed and can't be read by the statement that claims messages.
 */
export function throughputsOf(connection: Connection): string {
  const limits = allTransports().map(({ name, throughput }) => [name, throughput?.(connection) ?? null]);
  return JSON.stringify(Object.fromEntries(limits));
}
