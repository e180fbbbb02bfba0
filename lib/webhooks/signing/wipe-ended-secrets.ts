import "server-only";
import { sql } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";

/** Deletes signing secrets whose overlap has ended; they no longer sign. Returns the number deleted. */
export async function wipeEndedSecrets(): Promise<number> {
  const rows = await sql.query({
    text: `update webhook_subscriptions
           set previous_secret = null, previous_secret_until = null, previous_signs_legacy = false
           where previous_secret_until <= $1 returning id`,
    values: [now()],
  });
  return rows.length;
}
