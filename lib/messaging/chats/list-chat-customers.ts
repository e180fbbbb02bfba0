import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { commaList } from "@/lib/platform/text/comma-list";

/** As many chats as a page shows. */
const MAX_CHATS = 100;

export const ListChatCustomers = contract({
  summary: "List the customers of chats",
  tag: "Chats",
  right: "view_events",
  query: z.object({ chat_ids: commaList(z.uuid()).pipe(z.array(z.uuid()).max(MAX_CHATS)) }),
  returns: z.object({
    chats: z.array(
      z.object({
        chat_id: z.uuid(),
        /** The participant of the chat who is not the line; of a group the one who joined first. */
        handle: z.string(),
        /** How many other customers the chat has. */
        others: z.int(),
      }),
    ),
  }),
  status: 200,
  errors: ["parameter_invalid"],
});

const LIST_CHAT_CUSTOMERS = statement(
  "list-chat-customers",
  `select distinct on (p.chat_id) p.chat_id, p.handle,
    (count(*) over (partition by p.chat_id) - 1)::int as "others!"
  from participants p
  where p.account_id = :accountId and p.chat_id = any(:chatIds) and not p.is_me and p.left_at is null
  order by p.chat_id, p.joined_at, p.handle`,
);

/** Returns the customers of those chats of the account that have any. Errors: parameter_invalid for more than 100 chats. */
export async function listChatCustomers(
  ctx: Context,
  { query }: Pick<Input<typeof ListChatCustomers>, "query">,
) {
  if (query.chat_ids.length === 0) return { chats: [] };
  return {
    chats: await sql.run(LIST_CHAT_CUSTOMERS, { accountId: ctx.account.id, chatIds: query.chat_ids }),
  };
}
