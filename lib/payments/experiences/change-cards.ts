import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import type { CardState } from "@/lib/platform/prisma/enums";

interface CardChange {
  accountId: string;
  subjectId: string;
  state: Exclude<CardState, "open">;
  /** Only the cards that ask for this action. */
  asksFor?: string;
  at: Date;
}

const CHANGE_EXPERIENCE_CARDS = statement(
  "change-experience-cards",
  `update experience_cards set state = :state::text::card_state, due_at = :dueAt
  where account_id = :accountId and subject_id = :subjectId and state = 'open' and (:asksFor::text is null or asks_for = :asksFor)`,
);

/**
 * Updates the open cards about a subject to show that it is done or has ended. The phones that have the cards get the
 * update, even if this process ends. Runs in the transaction of the change that the cards show.
 */
export async function changeCards(
  tx: Sql,
  { accountId, subjectId, state, asksFor, at }: CardChange,
): Promise<void> {
  await tx.run(CHANGE_EXPERIENCE_CARDS, { accountId, subjectId, state, dueAt: at, asksFor: asksFor ?? null });
  tx.wake("cards");
}
