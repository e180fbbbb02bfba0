import "server-only";
import { chooseSender, type Sender, type SenderCriteria } from "@/lib/lines/senders/choose-sender";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";
import { runSerially } from "@/lib/platform/tasks/run-serially";
import { now } from "@/lib/platform/time/clock";

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
      await tx.query({
        name: "lock-picks",
        text: "select pg_advisory_xact_lock(hashtextextended('pick-line ' || $1, 0))",
        values: [criteria.accountId],
      });
      return use(tx, await chooseSender(tx, criteria));
    }),
  );
}

/** Marks a line as used, within `withLineChoice`, so that the next choice prefers other lines. */
export async function recordLineUse(tx: Sql, accountId: string, lineId: string): Promise<void> {
  await tx.query({
    name: "note-pick",
    // Always later than earlier picks, even within one millisecond.
    text: `update lines set picked_at = greatest($3,
             (select max(l.picked_at) from lines l where l.account_id = $1) + interval '1 millisecond')
           where account_id = $1 and id = $2`,
    values: [accountId, lineId, now()],
  });
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
