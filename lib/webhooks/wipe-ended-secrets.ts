import "server-only";
import { now } from "@/lib/platform/clock";
import { sql } from "@/lib/platform/db";

/** Forgets signing secrets whose overlap has ended: they have long ceased to sign. Returns how many. */
export async function wipeEndedSecrets(): Promise<number> {
  const rows = await sql.query({
    text: `update webhook_subscriptions
           set previous_secret = null, previous_secret_until = null, previous_signs_legacy = false
           where previous_secret_until <= $1 returning id`,
    values: [now()],
  });
  return rows.length;
}
