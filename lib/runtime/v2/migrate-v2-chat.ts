import "server-only";
import { openChat } from "@/lib/messaging/chats/open-chat";
import type { Context } from "@/lib/platform/context";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

const CHAT_ID = /^\d{1,15}$/;

type V2ChatRow = RowOf<"lock-v2-chat">;

const LOCK_V2_CHAT = statement(
  "lock-v2-chat",
  `select chat_id, line_id, handles from v2_chats
  where account_id = :accountId and v2_chat_id = :v2ChatId for no key update`,
);

/**
 * Returns the V3 chat of a V2 chat, the same on every call. A chat known only by its line and recipients is opened on
 * the first lookup. null = the chat cannot be migrated (docs/contract.md, section 16.1). Errors: chat_not_found (never
 * imported, or of another account).
 */
export async function migrateV2Chat(ctx: Context, v2ChatId: string): Promise<string | null> {
  if (!CHAT_ID.test(v2ChatId)) fail("chat_not_found", "a V2 chat ID must be a whole number");
  return transaction(async (tx) => {
    const [known] = await tx.run(LOCK_V2_CHAT, { accountId: ctx.account.id, v2ChatId });
    if (known === undefined) return fail("chat_not_found", `V2 chat ${v2ChatId} was not imported`);
    return known.chat_id ?? open(tx, ctx, v2ChatId, known);
  });
}

const LINE_OF_V2_CHAT = statement(
  "line-of-v2-chat",
  `select id, phone_number as "phoneNumber", line_type as "lineType" from lines
  where account_id = :accountId and id = :lineId and released_at is null`,
);

const NOTE_V2_CHAT = statement(
  "note-v2-chat",
  "update v2_chats set chat_id = :chatId where account_id = :accountId and v2_chat_id = :v2ChatId",
);

async function open(
  tx: Sql,
  ctx: Context,
  v2ChatId: string,
  { line_id, handles }: V2ChatRow,
): Promise<string | null> {
  const accountId = ctx.account.id;
  const [line] = await tx.run(LINE_OF_V2_CHAT, { accountId, lineId: line_id });
  if (line === undefined || handles.length === 0) return null;

  const service = line.lineType;
  const chat = { accountId, line, recipients: handles, service, traceId: ctx.traceId, at: ctx.now };
  const { chatId } = await openChat(tx, chat);
  await tx.run(NOTE_V2_CHAT, { accountId, v2ChatId, chatId });
  return chatId;
}
