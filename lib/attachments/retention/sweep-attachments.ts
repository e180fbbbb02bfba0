import "server-only";
import { removeAttachment } from "@/lib/attachments/remove-attachment";
import { sql } from "@/lib/platform/database/db";
import { type Queue, startQueue } from "@/lib/platform/database/queue";
import { now } from "@/lib/platform/time/clock";

const CONCURRENCY = 4;
const POLL_MS = 60_000;
const LEASE_SECONDS = 60;

interface Expired {
  account_id: string;
  id: string;
}

/** Deletes ephemeral files, bytes and row, a day after they were stored (partner-api.md, Ephemeral attachment tier). */
export function startAttachmentSweep(): Queue {
  return startQueue<Expired>({
    name: "attachments",
    topic: "attachments",
    most: CONCURRENCY,
    pollMs: POLL_MS,
    claim: claimExpired,
    handle: removeExpired,
  });
}

// Moving the due time forward leases the file, so a failed attempt is retried.
function claimExpired(limit: number): Promise<Expired[]> {
  return sql.query<Expired>({
    name: "claim-expired-attachments",
    text: `update attachments t set expires_at = $1::timestamptz + interval '${LEASE_SECONDS} seconds'
           from (
             select account_id, id from attachments where expires_at <= $1
             order by expires_at limit $2 for update skip locked
           ) due
           where t.account_id = due.account_id and t.id = due.id
           returning t.account_id, t.id`,
    values: [now(), limit],
  });
}

async function removeExpired({ account_id, id }: Expired): Promise<void> {
  await removeAttachment({ accountId: account_id, attachmentId: id });
}
