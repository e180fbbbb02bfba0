import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import type { CardState } from "@/lib/platform/prisma/enums";

interface CardChange {
  accountId: string;
  subjectId: string;
  state: Exclude<CardState, "open">;
  /** Only the cards that ask for this action. */
  asksFor?: string;
  at: Date;
}

/**
 * Updates the open cards about a subject to show that it is done or has ended. The phones that have the cards get the
 * update, even if this process ends. Runs in the transaction of the change that the cards show.
 */
export async function changeCards(
  tx: Sql,
  { accountId, subjectId, state, asksFor, at }: CardChange,
): Promise<void> {
  await tx.query({
    name: "change-experience-cards",
    text: `update experience_cards set state = $3::text::card_state, due_at = $4
           where account_id = $1 and subject_id = $2 and state = 'open' and ($5::text is null or asks_for = $5)`,
    values: [accountId, subjectId, state, at, asksFor ?? null],
  });
  tx.wake("cards");
}
