import "server-only";
import { sql } from "@/lib/platform/database/db";
import type { ServiceType } from "@/lib/platform/prisma/enums";

/** The result of a capability check. */
interface FoundCapability {
  accountId: string;
  handle: string;
  service: ServiceType;
  capability: "yes" | "no";
  at: Date;
}

/** Caches a capability. An older result does not replace a newer one. */
export async function cacheCapability({
  accountId,
  handle,
  service,
  capability,
  at,
}: FoundCapability): Promise<void> {
  await sql.query({
    name: "cache-capability",
    text: `insert into handle_capabilities as known (account_id, handle, service, capability, checked_at)
           values ($1, $2, $3::text::service_type, $4::text::handle_capability, $5)
           on conflict (account_id, handle, service) do update
             set capability = excluded.capability, checked_at = excluded.checked_at
             where known.checked_at <= excluded.checked_at`,
    values: [accountId, handle, service, capability, at],
  });
}
