import "server-only";
import { removeAttachment } from "@/lib/attachments/remove-attachment";
import { sql } from "@/lib/platform/database/db";
import { type Queue, startQueue } from "@/lib/platform/database/queue";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

const CONCURRENCY = 4;
const POLL_MS = 60_000;
const LEASE_SECONDS = 60;

type Expired = RowOf<"claim-expired-attachments">;

/** Deletes ephemeral files, bytes and row, a day after they were stored (docs/contract.md, section 10.4). */
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

const CLAIM_EXPIRED_ATTACHMENTS = statement(
  "claim-expired-attachments",
  `update attachments t set expires_at = :now::timestamptz + interval '${LEASE_SECONDS} seconds'
  from (
    select account_id, id from attachments where expires_at <= :now
    order by expires_at limit :limit for update skip locked
  ) due
  where t.account_id = due.account_id and t.id = due.id
  returning t.account_id, t.id`,
);

// Moving the due time forward leases the file, so a failed attempt is retried.
function claimExpired(limit: number): Promise<Expired[]> {
  return sql.run(CLAIM_EXPIRED_ATTACHMENTS, { now: now(), limit });
}

async function removeExpired({ account_id, id }: Expired): Promise<void> {
  await removeAttachment({ accountId: account_id, attachmentId: id });
}
