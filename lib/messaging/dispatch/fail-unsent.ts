import "server-only";
import { advanceMessage } from "@/lib/messaging/dispatch/advance-message";
import { storeAdvance } from "@/lib/messaging/dispatch/store-advance";
import { SNAPSHOT, SNAPSHOT_JOINS } from "@/lib/messaging/messages/message-snapshot";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";

const BATCH_MESSAGES = 100;

const SELECTED = `${SNAPSHOT}, m.dispatch_connection is not null as may_be_sent`;

const FIND_UNSENT_MESSAGES = statement(
  "find-unsent-messages",
  `select ${SELECTED} from messages m ${SNAPSHOT_JOINS}
  where m.account_id = :accountId and m.dispatch_at is not null and m.dispatch_lease_until is null
    and m.created_at <= :before
  order by m.position limit :limit`,
);

const FIND_UNSENT_OF_ARCHIVED = statement(
  "find-unsent-of-archived",
  `select ${SELECTED} from lines stopped cross join lateral (
    select * from messages
    where account_id = stopped.account_id and line_id = stopped.id and dispatch_at is not null
      and dispatch_lease_until is null
    order by chat_id, position limit :limit) m ${SNAPSHOT_JOINS}
  where stopped.is_stopped limit :limit`,
);

/** A pending message. `may_be_sent`: the vendor of an earlier attempt may have it. */
type Unsent = RowOf<"find-unsent-messages">;

const EXPIRED = "its content expired before the line could send it";
const ARCHIVED = "the account was archived before the line could send it";

/**
 * Fails an account's pending messages from before `before`, because their content is erased. The partner gets
 * message.failed with 4002, or with 4006 if the vendor may have the message.
 */
export async function failUnsent(accountId: string, before: Date, at: Date): Promise<void> {
  await failEach(EXPIRED, at, () =>
    sql.run(FIND_UNSENT_MESSAGES, { accountId, before, limit: BATCH_MESSAGES }),
  );
}

/**
 * Fails the pending messages of archived accounts: nothing that waited is sent when the account is restored. A message
 * in progress ends first. The partner gets message.failed with 4002. Returns the number of failed messages.
 */
export function failUnsentOfArchived(at: Date): Promise<number> {
  return failEach(ARCHIVED, at, () => sql.run(FIND_UNSENT_OF_ARCHIVED, { limit: BATCH_MESSAGES }));
}

/** Fails batches until none is left, or nothing more can be failed now. */
async function failEach(reason: string, at: Date, findBatch: () => Promise<Unsent[]>): Promise<number> {
  for (let failed = 0; ; ) {
    const waiting = await findBatch();
    const stored = await Promise.all(waiting.map((was) => fail(was, reason, at)));
    failed += stored.filter(Boolean).length;
    if (waiting.length < BATCH_MESSAGES || !stored.includes(true)) return failed;
  }
}

async function fail(was: Unsent, reason: string, at: Date): Promise<boolean> {
  const error = was.may_be_sent ? "send_timed_out" : "line_down";
  const advance = advanceMessage(was, { type: "failed", error, reason, at });
  const write = { was, advance, attempt: null, dispatchAt: null, refs: [], groupRef: null, at };
  return (await storeAdvance(write)) !== null;
}
