import { ACCOUNT_INVARIANTS } from "./check-accounts.mjs";
import { EVENT_INVARIANTS } from "./check-events.mjs";
import { MESSAGE_INVARIANTS } from "./check-messages.mjs";
import { SCHEDULED_INVARIANTS } from "./check-scheduled.mjs";

/**
 * What holds in every history. `sentence` is the promise, `check` returns what violates it in a record, and `isAnytime`
 * says that the promise holds during the history, too, not only after all work has ended.
 */
export const INVARIANTS = [
  ...MESSAGE_INVARIANTS,
  ...SCHEDULED_INVARIANTS,
  ...EVENT_INVARIANTS,
  ...ACCOUNT_INVARIANTS,
];

/** Checks a record. Returns the violated invariants with what violates each. */
export function checkInvariants(record, invariants = INVARIANTS) {
  return invariants
    .filter(({ isAnytime }) => isAnytime || record.isEnd)
    .map(({ name, sentence, check }) => ({ name, sentence, found: check(record) }))
    .filter(({ found }) => found.length > 0);
}
