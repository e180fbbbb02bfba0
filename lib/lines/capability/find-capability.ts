import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { transportOf } from "@/lib/adapters/transports/registry";
import type { Capability } from "@/lib/adapters/transports/transport";
import { withTimeout } from "@/lib/adapters/with-timeout";
import { cacheCapability } from "@/lib/lines/capability/cache-capability";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import type { ServiceType } from "@/lib/platform/prisma/enums";
import { now } from "@/lib/platform/time/clock";

/** A query whether a line can reach a handle over a service. */
export interface CapabilityQuery {
  line: LineRef;
  /** The name of the line's transport. */
  transport: string;
  handle: string;
  service: ServiceType;
}

/**
 * Returns the cached capability if the transport allows caching and it has not expired; otherwise probes the transport
 * and caches the result. Errors: the probe's AdapterError, or `unknown_outcome` after `timeoutMs`.
 */
export async function findCapability(question: CapabilityQuery, timeoutMs: number): Promise<Capability> {
  const transport = transportOf(question.transport);
  const known =
    transport.capabilityCacheSeconds > 0
      ? await cachedCapability(question, transport.capabilityCacheSeconds)
      : null;
  if (known !== null) return known;

  const { line, handle, service } = question;
  const capability = await withTimeout(timeoutMs, () => transport.probe(line, handle, service));
  if (capability !== "unknown" && transport.capabilityCacheSeconds > 0) {
    await cacheCapability({ accountId: line.accountId, handle, service, capability, at: now() });
  }
  return capability;
}

const CACHED_CAPABILITY = statement(
  "cached-capability",
  `select capability::text as "capability: 'yes' | 'no'" from handle_capabilities
  where account_id = :accountId and handle = :handle and service = :service::text::service_type and checked_at > :checkedAt`,
);

async function cachedCapability(
  { line, handle, service }: CapabilityQuery,
  seconds: number,
): Promise<Capability | null> {
  const [row] = await sql.run(CACHED_CAPABILITY, {
    accountId: line.accountId,
    handle,
    service,
    checkedAt: new Date(now().getTime() - seconds * 1000),
  });
  return row?.capability ?? null;
}
