import "server-only";
import { byKey } from "@/lib/platform/database/db";
import { MAX_WAIT_MS, QUIET_MS } from "@/lib/webhooks/subscriptions/turn-settings";

/** Messages that a turn has at most. */
export const MAX_TURN_MESSAGES = 20;
/** A person who is typing and then silent for so long does not type any more. */
export const TYPING_MS = 6000;

// Statements that change turns lock the chat first (or no chat), then its turns, then messages, then the numbers of
// deliveries. The worker skips chats, turns and messages that are locked, so it never waits for them. It leases a turn
// before it closes it; a change of the turn ends the lease, so that no turn closes late because of an earlier attempt.

const ms = (value: string) => `${value} * interval '1 millisecond'`;

/**
 * SQL of a CTE `name` that adds messages to turns: to the open turn of their sender in their chat, or to a new one, for each
 * subscription to chat.turn. `source` has account_id, chat_id, line_id, id, handle, parts, is_group, is_recovered, has_file and at.
 * Without a subscription, nothing but the account's subscriptions is read. The chats must be locked.
 */
export function openTurnsCte(name: string, source: string): string {
  const quiet = ms(`(coalesce(s.turn_quiet_ms, ${QUIET_MS}) * case when w.has_file then 2 else 1 end)`);
  const max = ms(`coalesce(s.turn_max_ms, ${MAX_WAIT_MS})`);
  return `${name} as (
    insert into chat_turns as o (account_id, chat_id, handle, subscription_id, is_recovered, line_id, message_ids,
      mention_ids, started_at, closes_at, quiet_until, due_at)
    select w.account_id, w.chat_id, w.handle, s.id, w.is_recovered, w.line_id, array[w.id],
      case when jsonb_path_exists(w.parts, '$[*].mentions[*] ? (@.is_me == true)') then array[w.id] end,
      w.at, w.at + ${max}, w.at + ${quiet}, w.at + least(${quiet}, ${max})
    from ${source} w join webhook_subscriptions s
      on s.account_id = w.account_id and s.deleted_at is null and 'chat.turn' = any(s.subscribed_events)
        and (not w.is_group or coalesce(s.turn_groups, true))
        and (s.phone_numbers = '{}' or exists (
          select 1 from lines l
          where l.account_id = w.account_id and l.id = w.line_id and l.phone_number = any(s.phone_numbers)))
    order by w.account_id, w.chat_id, w.handle, s.id
    on conflict (account_id, chat_id, handle, subscription_id, is_recovered) do update set
      message_ids = o.message_ids || excluded.message_ids, mention_ids = o.mention_ids || excluded.mention_ids,
      typing_until = null, lease_until = null,
      quiet_until = greatest(o.quiet_until, excluded.quiet_until),
      due_at = case when o.answered_count is not null then o.due_at
        when cardinality(o.message_ids) + 1 >= ${MAX_TURN_MESSAGES} then excluded.started_at
        else least(o.closes_at, greatest(o.quiet_until, excluded.quiet_until)) end
    returning 1)`;
}

/**
 * SQL of a CTE `name` that closes the turns of chats to which the account has written: `source` has account_id, chat_id
 * and at, one row for each chat. Messages that arrive from now on have another turn. The chats must be locked: `after` is
 * a condition that reads the locks.
 */
export function answerTurnsCte(name: string, source: string, after: string): string {
  return `${name} as (
    update chat_turns o set answered_count = cardinality(o.message_ids), due_at = least(o.due_at, a.at), lease_until = null
    from ${source} a
    where ${byKey("o", { account_id: "a.account_id", chat_id: "a.chat_id" })} and o.answered_count is null and ${after}
    returning 1)`;
}
