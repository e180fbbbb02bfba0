import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { findCapability } from "@/lib/lines/capability/find-capability";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import type { ServiceType } from "@/lib/platform/prisma/enums";

const CHECK_MS = 2000;

interface Ends {
  line: LineRef;
  transport: string;
  recipients: readonly string[];
}

/** Whether a recipient is known to have no iMessage. An unknown capability blocks no send (contract.md 0). */
export async function lacksIMessage({ line, transport, recipients }: Ends): Promise<boolean> {
  const capabilities = await Promise.all(
    recipients.map((handle) =>
      findCapability({ line, transport, handle, service: "iMessage" }, CHECK_MS).catch(() => "unknown"),
    ),
  );
  return capabilities.includes("no");
}

/** As `lacksIMessage`, for a chat given by its id or by one of its messages; false when there is none. */
export async function chatLacksIMessage(
  ctx: Context,
  where: { chatId: string } | { messageId: string },
): Promise<boolean> {
  const [chat] = await sql.query<Row>({
    name: "find-ends-of-chat",
    text: `select l.id, l.phone_number, l.line_type, l.transport, array(
             select p.handle from participants p
             where p.account_id = c.account_id and p.chat_id = c.id and not p.is_me and p.status = 'active') as recipients
           from chats c join lines l on l.account_id = c.account_id and l.id = c.line_id
           where c.account_id = $1 and c.id = coalesce($2::uuid, (
             select m.chat_id from messages m where m.account_id = $1 and m.id = $3::uuid))`,
    values: [
      ctx.account.id,
      "chatId" in where ? where.chatId : null,
      "messageId" in where ? where.messageId : null,
    ],
  });
  if (chat === undefined) return false;
  const { id, phone_number: phoneNumber, line_type: lineType, transport, recipients } = chat;
  return lacksIMessage({
    line: { accountId: ctx.account.id, id, phoneNumber, lineType },
    transport,
    recipients,
  });
}

interface Row {
  id: string;
  phone_number: string;
  line_type: ServiceType;
  transport: string;
  recipients: string[];
}
