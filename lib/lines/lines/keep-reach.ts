import "server-only";
import { sql } from "@/lib/platform/db";
import type { ServiceType } from "@/lib/platform/prisma/enums";

/** What was found out about a handle. */
interface FoundReach {
  accountId: string;
  handle: string;
  service: ServiceType;
  reach: "yes" | "no";
  at: Date;
}

/** Remembers what was found out; an older finding does not replace a newer one. */
export async function keepReach({ accountId, handle, service, reach, at }: FoundReach): Promise<void> {
  await sql.query({
    name: "keep-found-reach",
    text: `insert into handle_capabilities as known (account_id, handle, service, reach, checked_at)
           values ($1, $2, $3::text::service_type, $4::text::handle_reach, $5)
           on conflict (account_id, handle, service) do update
             set reach = excluded.reach, checked_at = excluded.checked_at
             where known.checked_at <= excluded.checked_at`,
    values: [accountId, handle, service, reach, at],
  });
}
