import "server-only";
import { advanceMessage } from "@/lib/messaging/messages/advance-message";
import { type MessageSnapshot, SNAPSHOT, SNAPSHOT_JOINS } from "@/lib/messaging/messages/message-snapshot";
import { storeAdvance } from "@/lib/messaging/messages/store-advance";
import { sql } from "@/lib/platform/db";

const BATCH_MESSAGES = 100;

const STEP = {
  type: "failed",
  error: "line_down",
  reason: "its content expired before the line could send it",
} as const;

/**
 * Fails an account's pending messages from before `before`, because their content is erased. The partner gets
 * message.failed with 4002.
 */
export async function failUnsent(accountId: string, before: Date, at: Date): Promise<void> {
  for (;;) {
    const waiting = await sql.query<MessageSnapshot>({
      name: "find-unsent",
      text: `select ${SNAPSHOT} from messages m ${SNAPSHOT_JOINS}
             where m.account_id = $1 and m.dispatch_at is not null and m.dispatch_lease_until is null
               and m.created_at <= $2
             order by m.position limit $3`,
      values: [accountId, before, BATCH_MESSAGES],
    });
    const stored = await Promise.all(waiting.map((was) => fail(was, at)));
    if (waiting.length < BATCH_MESSAGES || !stored.includes(true)) return;
  }
}

async function fail(was: MessageSnapshot, at: Date): Promise<boolean> {
  const advance = advanceMessage(was, { ...STEP, at });
  const write = { was, advance, attempt: null, dispatchAt: null, refs: [], groupRef: null, at };
  return (await storeAdvance(write)) !== null;
}
