import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { findCapability } from "@/lib/lines/capability/find-capability";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const CHECK_MS = 2000;

interface Ends {
  line: LineRef;
  transport: string;
  recipients: readonly string[];
}

/**
 * Whether a recipient is known to have no iMessage. An unknown capability blocks no send
 * (docs/contract.md, section 7.4).
 */
export async function lacksIMessage({ line, transport, recipients }: Ends): Promise<boolean> {
  const capabilities = await Promise.all(
    recipients.map((handle) =>
      findCapability({ line, transport, handle, service: "iMessage" }, CHECK_MS).catch(() => "unknown"),
    ),
  );
  return capabilities.includes("no");
}

const FIND_ENDS_OF_CHAT = statement(
  "find-ends-of-chat",
  `select l.id, l.phone_number, l.line_type, l.transport, array(
    select p.handle from participants p
    where p.account_id = c.account_id and p.chat_id = c.id and not p.is_me and p.status = 'active') as recipients
  from chats c join lines l on l.account_id = c.account_id and l.id = c.line_id
  where c.account_id = :accountId and c.id = coalesce(:id::uuid, (
    select m.chat_id from messages m where m.account_id = :accountId and m.id = :messageId::uuid))`,
);

/** As `lacksIMessage`, for a chat given by its id or by one of its messages; false when there is none. */
export async function chatLacksIMessage(
  ctx: Context,
  where: { chatId: string } | { messageId: string },
): Promise<boolean> {
  const [chat] = await sql.run(FIND_ENDS_OF_CHAT, {
    accountId: ctx.account.id,
    id: "chatId" in where ? where.chatId : null,
    messageId: "messageId" in where ? where.messageId : null,
  });
  if (chat === undefined) return false;
  const { id, phone_number: phoneNumber, line_type: lineType, transport, recipients } = chat;
  return lacksIMessage({
    line: { accountId: ctx.account.id, id, phoneNumber, lineType },
    transport,
    recipients,
  });
}
