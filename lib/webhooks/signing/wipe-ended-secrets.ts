import "server-only";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

const WIPE_ENDED_SECRETS = plannedStatement(
  "wipe-ended-secrets",
  `update webhook_subscriptions
  set previous_secret = null, previous_secret_until = null, previous_signs_legacy = false
  where previous_secret_until <= :now returning id`,
);

/** Deletes signing secrets whose overlap has ended; they no longer sign. Returns the number deleted. */
export async function wipeEndedSecrets(): Promise<number> {
  const rows = await sql.run(WIPE_ENDED_SECRETS, { now: now() });
  return rows.length;
}
