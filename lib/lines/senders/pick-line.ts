import "server-only";
import { chooseSender, type Sender, type SenderCriteria } from "@/lib/lines/senders/choose-sender";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { runSerially } from "@/lib/platform/tasks/run-serially";
import { now } from "@/lib/platform/time/clock";

const LOCK_LINE_PICKS = statement(
  "lock-line-picks",
  "select pg_advisory_xact_lock(hashtextextended('pick-line ' || :accountId, 0))",
);

/**
 * Chooses a line while no other request of the account can, on any instance, and runs `use` with the choice in the same
 * transaction. Two concurrent messages to a new recipient share one chat, and consecutive choices use different lines.
 */
export function withLineChoice<Result>(
  criteria: SenderCriteria,
  use: (tx: Sql, sender: Sender) => Promise<Result>,
): Promise<Result> {
  return runSerially(`pick:${criteria.accountId}`, () =>
    transaction(async (tx) => {
      await tx.run(LOCK_LINE_PICKS, { accountId: criteria.accountId });
      return use(tx, await chooseSender(tx, criteria));
    }),
  );
}

const RECORD_LINE_PICK = statement(
  "record-line-pick",
  `update lines set picked_at = greatest(:now,
    (select max(l.picked_at) from lines l where l.account_id = :accountId) + interval '1 millisecond')
  where account_id = :accountId and id = :lineId`,
);

/** Marks a line as used, within `withLineChoice`, so that the next choice prefers other lines. */
export async function recordLineUse(tx: Sql, accountId: string, lineId: string): Promise<void> {
  await tx.run(RECORD_LINE_PICK, { accountId, lineId, now: now() });
}

/**
 * Throws the reason why no line was chosen. Errors: parameter_invalid (all lines are excluded), state_conflict (there
 * is none).
 */
export function failWithoutLine({ hasExcluded }: Sender): never {
  if (hasExcluded) fail("parameter_invalid", "exclude_from: no remaining line can send this message");
  return fail(
    "state_conflict",
    "no line of the account can send this message: all lines are flagged or of another type",
  );
}
