import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

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
    from payment_requests where account_id = :accountId and id = :subjectId for share`,
  agent_payment: `select case when status in ('canceled', 'expired') then 'ended'
      when status = 'awaiting_user_action' and awaits = :asksFor then 'open'
      when status in ('needs_connection', 'connecting') then 'open' else 'done' end as state
    from agent_payments where account_id = :accountId and id = :subjectId for share`,
} as const satisfies Record<FollowingCard["subject"]["type"], string>;

function recordSql(type: FollowingCard["subject"]["type"]): string {
  return `with subject as (${STANDS[type]})
  insert into experience_cards (account_id, message_id, subject_id, asks_for, state, due_at)
  select :accountId, :messageId, :subjectId, :asksFor::text, state::card_state,
    case when state <> 'open' then :at::timestamptz end
  from subject`;
}

const RECORD_CARD = {
  payment_request: statement("record-payment-request-card", recordSql("payment_request")),
  agent_payment: statement("record-agent-payment-card", recordSql("agent_payment")),
} as const;

/** Records a card that follows its subject, in the transaction that sends it. */
export async function recordCard(
  tx: Sql,
  { accountId, messageId, subject, asksFor, at }: SentCard,
): Promise<void> {
  await tx.run(RECORD_CARD[subject.type], { accountId, messageId, subjectId: subject.id, asksFor, at });
  tx.wake("cards");
}
