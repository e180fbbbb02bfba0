import "server-only";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import type { ServiceType } from "@/lib/platform/prisma/enums";

/** The result of a capability check. */
interface FoundCapability {
  accountId: string;
  handle: string;
  service: ServiceType;
  capability: "yes" | "no";
  at: Date;
}

const CACHE_CAPABILITY = statement(
  "cache-capability",
  `insert into handle_capabilities as known (account_id, handle, service, capability, checked_at)
  values (:accountId, :handle, :service::text::service_type, :capability::text::handle_capability, :checkedAt)
  on conflict (account_id, handle, service) do update
    set capability = excluded.capability, checked_at = excluded.checked_at
    where known.checked_at <= excluded.checked_at`,
);

/** Caches a capability. An older result does not replace a newer one. */
export async function cacheCapability({
  accountId,
  handle,
  service,
  capability,
  at,
}: FoundCapability): Promise<void> {
  await sql.run(CACHE_CAPABILITY, { accountId, handle, service, capability, checkedAt: at });
}
