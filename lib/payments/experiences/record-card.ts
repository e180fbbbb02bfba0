import "server-only";
import type { Sql } from "@/lib/platform/database/db";

/** A card about a subject that changes. */
interface FollowingCard {
  subject: { type: "payment_request" | "agent_payment"; id: string };
  /** The action that the card asks an agent payment's customer for. null for a payment request. */
  asksFor: "attach" | "approve" | null;
}

interface SentCard extends FollowingCard {
  accountId: string;
  messageId: string;
  at: Date;
}

// Locks the subject: a concurrent change of it either waits and then finds the card, or commits first and is seen here.
const STANDS = {
  payment_request: `select case status when 'requested' then 'open' when 'succeeded' then 'done' else 'ended' end as state
    from payment_requests where account_id = $1 and id = $3 for share`,
  agent_payment: `select case when status in ('canceled', 'expired') then 'ended'
      when status = 'awaiting_user_action' and awaits = $4 then 'open'
      when status in ('needs_connection', 'connecting') then 'open' else 'done' end as state
    from agent_payments where account_id = $1 and id = $3 for share`,
} as const satisfies Record<FollowingCard["subject"]["type"], string>;

/** Records a card that follows its subject, in the transaction that sends it. */
export async function recordCard(
  tx: Sql,
  { accountId, messageId, subject, asksFor, at }: SentCard,
): Promise<void> {
  await tx.query({
    name: `record-card-${subject.type}`,
    text: `with subject as (${STANDS[subject.type]})
           insert into experience_cards (account_id, message_id, subject_id, asks_for, state, due_at)
           select $1, $2, $3, $4::text, state::card_state, case when state <> 'open' then $5::timestamptz end
           from subject`,
    values: [accountId, messageId, subject.id, asksFor, at],
  });
  tx.wake("cards");
}
