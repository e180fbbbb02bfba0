import "server-only";
import { z } from "zod";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

const DAY_MS = 86_400_000;
const MAX_SNOOZE_DAYS = 366;

/**
 * The newest message that the person has seen; null = none. When the customer has written since, the chat stays as it
 * is: no one puts a message away unread.
 */
const lastSeen = z.uuid().nullable();

/** A state of a chat in the inbox that a person chooses. */
export const ChatStateChange = z.discriminatedUnion("state", [
  z.object({ state: z.literal("open") }),
  z.object({ state: z.literal("closed"), last_message_id: lastSeen }),
  z.object({ state: z.literal("snoozed"), until: z.iso.datetime(), last_message_id: lastSeen }),
]);

export type ChatStateChange = z.infer<typeof ChatStateChange>;

type LockedState = RowOf<"lock-chat-state">;

const LOCK_CHAT_STATE = statement(
  "lock-chat-state",
  `select id, line_id, inbox_state, snoozed_until, needs_reply from chats
  where account_id = :accountId and id = :chatId for no key update`,
);

/**
 * Locks a chat with its state. A message that is stored later waits for the lock and opens the chat again. Errors:
 * chat_not_found, access_denied.
 */
export async function lockChatState(tx: Sql, ctx: Context, chatId: string): Promise<LockedState> {
  const [chat] = await tx.run(LOCK_CHAT_STATE, { accountId: ctx.account.id, chatId });
  return chat ?? throwNotFoundOrDenied(chatId);
}

const FIND_UNSEEN_INBOUND = statement(
  "find-unseen-inbound",
  `select m.id from messages m
  where m.account_id = :accountId and m.chat_id = :chatId and not m.is_from_me and m.deleted_at is null
    and m.position > coalesce((
      select s.position from messages s
      where s.account_id = :accountId and s.id = :lastMessageId::uuid and s.chat_id = :chatId), 0)
  order by m.position desc limit 1`,
);

/** Fails with state_conflict when the customer of a locked chat has written since `lastMessageId`. */
export async function requireSeen(
  tx: Sql,
  ctx: Context,
  chatId: string,
  lastMessageId: string | null,
): Promise<void> {
  // Sees every message that was committed before the lock was granted.
  const unseen = await tx.run(FIND_UNSEEN_INBOUND, { accountId: ctx.account.id, chatId, lastMessageId });
  if (unseen.length > 0) fail("state_conflict", "the customer has written meanwhile, so the chat stays open");
}

/** Checks the end of a snooze: in the future, within a year. Errors: parameter_invalid. */
export function readSnoozeEnd(ctx: Context, until: string): Date {
  const end = new Date(until);
  const now = ctx.now.getTime();
  if (end.getTime() <= now) fail("parameter_invalid", "until must be in the future");
  if (end.getTime() > now + MAX_SNOOZE_DAYS * DAY_MS)
    fail("parameter_invalid", `until must be within ${MAX_SNOOZE_DAYS} days`);
  return end;
}

const SET_CHAT_STATE = statement(
  "set-chat-state",
  `update chats set inbox_state = :state::text::chat_inbox_state, snoozed_until = :snoozedUntil, needs_reply = :needsReply
  where account_id = :accountId and id = :chatId`,
);

/** Stores the state of a locked chat. */
export async function setChatState(
  tx: Sql,
  accountId: string,
  chatId: string,
  to: { state: "open" | "snoozed" | "closed"; snoozedUntil: Date | null; needsReply: boolean },
): Promise<void> {
  await tx.run(SET_CHAT_STATE, { accountId, chatId, ...to });
}
