import "server-only";
import { openChat } from "@/lib/messaging/chats/open-chat";
import type { Context } from "@/lib/platform/context";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";
import type { ServiceType } from "@/lib/platform/prisma/enums";

const CHAT_ID = /^\d{1,15}$/;

interface V2ChatRow {
  chat_id: string | null;
  line_id: string | null;
  handles: string[];
}

/**
 * Returns the V3 chat of a V2 chat, the same on every call. A chat known only by its line and recipients is opened on
 * the first lookup. null = the chat cannot be migrated (partner-api.md, Versioning 5). Errors: chat_not_found (never
 * imported, or of another account).
 */
export async function migrateV2Chat(ctx: Context, v2ChatId: string): Promise<string | null> {
  if (!CHAT_ID.test(v2ChatId)) fail("chat_not_found", "a V2 chat ID must be a whole number");
  return transaction(async (tx) => {
    const [known] = await tx.query<V2ChatRow>({
      name: "lock-v2-chat",
      text: `select chat_id, line_id, handles from v2_chats
             where account_id = $1 and v2_chat_id = $2 for no key update`,
      values: [ctx.account.id, v2ChatId],
    });
    if (known === undefined) return fail("chat_not_found", `V2 chat ${v2ChatId} was not imported`);
    return known.chat_id ?? open(tx, ctx, v2ChatId, known);
  });
}

async function open(
  tx: Sql,
  ctx: Context,
  v2ChatId: string,
  { line_id, handles }: V2ChatRow,
): Promise<string | null> {
  const accountId = ctx.account.id;
  const [line] = await tx.query<{ id: string; phoneNumber: string; lineType: ServiceType }>({
    name: "line-of-v2-chat",
    text: `select id, phone_number as "phoneNumber", line_type as "lineType" from lines
           where account_id = $1 and id = $2 and released_at is null`,
    values: [accountId, line_id],
  });
  if (line === undefined || handles.length === 0) return null;

  const service = line.lineType;
  const chat = { accountId, line, recipients: handles, service, traceId: ctx.traceId, at: ctx.now };
  const { chatId } = await openChat(tx, chat);
  await tx.query({
    name: "note-v2-chat",
    text: "update v2_chats set chat_id = $3 where account_id = $1 and v2_chat_id = $2",
    values: [accountId, v2ChatId, chatId],
  });
  return chatId;
}
