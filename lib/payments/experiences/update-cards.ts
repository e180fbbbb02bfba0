import "server-only";
import { StoredAppCardPart, toStoredCard } from "@/lib/messaging/content/app-card-part";
import { acceptContent } from "@/lib/messaging/sending/send-message";
import { toCard } from "@/lib/payments/experiences/to-card";
import type { Context } from "@/lib/platform/context";
import { sql, transaction } from "@/lib/platform/database/db";
import { type Queue, startQueue } from "@/lib/platform/database/queue";
import { plannedStatement, type RowOf, statement } from "@/lib/platform/database/statement";
import { ApiError, type ErrorName } from "@/lib/platform/errors/errors";
import { newId, newTraceId } from "@/lib/platform/ids";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";

const CONCURRENCY = 4;
const POLL_MS = 5000;
const FIRST_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 3600;
/** About eight days with increasing waits, because a phone may be off that long. */
const MAX_ATTEMPTS = 200;

type DueCard = RowOf<"claim-due-cards">;

/**
 * Starts updating cards on phones: once a card was delivered and its subject has changed, an updated card replaces it
 * (docs/contract.md, section 15). Failed updates are retried with increasing waits.
 */
export function startCardUpdates(): Queue {
  return startQueue<DueCard>({
    name: "card updates",
    topic: "cards",
    most: CONCURRENCY,
    pollMs: POLL_MS,
    claim: claimCards,
    handle: updateCard,
  });
}

const CLAIM_DUE_CARDS = statement(
  "claim-due-cards",
  `with due as (
    select account_id, message_id from experience_cards where due_at <= :now
    order by due_at limit :limit for update skip locked
  ), leased as (
    update experience_cards x set attempts = attempts + 1, due_at = :now::timestamptz + make_interval(
      secs => least(${LONGEST_WAIT_SECONDS}, ${FIRST_WAIT_SECONDS} * 2 ^ least(attempts, 20)))
    from due where x.account_id = due.account_id and x.message_id = due.message_id
    returning x.*
  )
  select x.account_id as "accountId", a.type as "accountType", a.partner_id as "partnerId",
    x.message_id as "messageId", m.chat_id as "chatId!", m.delivery_status as "status!",
    case when m.deleted_at is null then m.parts -> 0 end as part, x.state, x.attempts,
    x.due_at as "dueAt!"
  from leased x join accounts a on a.id = x.account_id
    left join messages m on m.account_id = x.account_id and m.id = x.message_id`,
);

function claimCards(limit: number): Promise<DueCard[]> {
  return sql.run(CLAIM_DUE_CARDS, { now: now(), limit });
}

async function updateCard(card: DueCard): Promise<void> {
  const part = StoredAppCardPart.safeParse(card.part);
  const experience = part.success ? part.data.experience : null;
  // The message was deleted, its content has expired, or it never arrived: no card to update.
  if (experience === null || card.status === "failed" || card.attempts > MAX_ATTEMPTS) return forget(card);
  if (card.status !== "delivered" && card.status !== "read") return;

  const { app, ...shown } = toCard(experience.card, card.state);
  const update = { ...toStoredCard(app, shown, null), experience, replaces: card.messageId };
  try {
    await sendUpdate(card, update);
  } catch (error) {
    if (!(error instanceof ApiError) || PASSING.includes(error.errorName)) throw error;
    log.info({ messageId: card.messageId, error: error.errorName }, "a card could not be updated");
    await forget(card);
  }
}

/** Temporary errors. Any other rejection of an update, such as an opt-out, is permanent. */
const PASSING: readonly ErrorName[] = ["rate_limited", "line_restricted", "internal"];

const CLAIM_CARD_UPDATE = plannedStatement(
  "claim-card-update",
  `update experience_cards set due_at = null
  where account_id = :accountId and message_id = :messageId and due_at = :dueAt returning 1`,
);

async function sendUpdate(card: DueCard, part: StoredAppCardPart): Promise<void> {
  const at = now();
  const ctx: Context = {
    account: { id: card.accountId, partnerId: card.partnerId, type: card.accountType },
    actor: { type: "system" },
    traceId: newTraceId(),
    now: at,
  };
  await transaction(async (tx) => {
    const held = await tx.run(CLAIM_CARD_UPDATE, {
      accountId: card.accountId,
      messageId: card.messageId,
      dueAt: card.dueAt,
    });
    if (held.length === 0) return;
    const content = { preferred_service: "iMessage" as const };
    const prepared = { messageId: newId(at.getTime()), content, parts: [part] };
    await acceptContent(ctx, card.chatId, prepared, false, tx);
  });
}

const CLEAR_CARD_UPDATE = plannedStatement(
  "clear-card-update",
  "update experience_cards set due_at = null where account_id = :accountId and message_id = :messageId",
);

async function forget({ accountId, messageId }: DueCard): Promise<void> {
  await sql.run(CLEAR_CARD_UPDATE, { accountId, messageId });
}
