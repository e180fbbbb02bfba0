import "server-only";
import { z } from "zod";
import { DeliveryStatus } from "@/lib/messages/message";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/db";

const TEXT_MOST = 200;

/** The last word of a chat, as a list shows it. */
export const LastMessage = z.object({
  text: z.string(),
  is_from_me: z.boolean(),
  delivery_status: DeliveryStatus,
  created_at: z.iso.datetime(),
});

export type LastMessage = z.infer<typeof LastMessage>;

interface Row {
  chat_id: string;
  text: string | null;
  kind: string | null;
  is_from_me: boolean;
  delivery_status: LastMessage["delivery_status"];
  created_at: Date;
}

/** The newest message of each chat, by chat; chats without one are missing. */
export async function selectLastMessages(
  ctx: Context,
  chatIds: readonly string[],
): Promise<Map<string, LastMessage>> {
  if (chatIds.length === 0) return new Map();
  const rows = await sql.query<Row>({
    name: "last-messages",
    text: `select m.*
           from unnest($2::uuid[]) as chat(id) cross join lateral (
             select m.chat_id, left(coalesce(m.parts->0->>'value', m.parts->0->>'filename'), ${TEXT_MOST}) as text, m.parts->0->>'type' as kind,
               m.is_from_me, m.delivery_status::text as delivery_status, m.created_at
             from messages m
             where m.account_id = $1 and m.chat_id = chat.id and m.deleted_at is null
             order by m.id desc limit 1
           ) m`,
    values: [ctx.account.id, chatIds],
  });
  return new Map(rows.map((row) => [row.chat_id, toLastMessage(row)]));
}

function toLastMessage(row: Row): LastMessage {
  return {
    text: row.text ?? row.kind ?? "",
    is_from_me: row.is_from_me,
    delivery_status: row.delivery_status,
    created_at: row.created_at.toISOString(),
  };
}
