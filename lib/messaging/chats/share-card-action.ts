import "server-only";
import { z } from "zod";
import type { ActionFailure, ActionRequest } from "@/lib/messaging/actions/action-kind";
import type { ClaimedAction } from "@/lib/messaging/actions/claim-actions";
import { changedBy, deferUntilCreated } from "@/lib/messaging/chats/change-by-action";
import { recordActionFailed } from "@/lib/messaging/chats/change-chat";
import { type Sql, sql } from "@/lib/platform/database/db";

const Payload = z.object({ handles: z.array(z.string()) });

type Failed = { action: ClaimedAction; payload: z.infer<typeof Payload>; at: Date } & ActionFailure;

// A card shared right after the first reply waits until that message has been sent.
async function hasSent({ account_id, chat_id }: ClaimedAction): Promise<boolean> {
  const sent = await sql.query<{ id: string }>({
    name: "chat-has-sent",
    text: `select id from messages
           where account_id = $1 and chat_id = $2 and is_from_me and sent_at is not null limit 1`,
    values: [account_id, chat_id],
  });
  return sent.length > 0;
}

/** Shares the line's contact card in a chat. A failed share does not count, so it can be retried. */
export const shareContactCardAction = {
  payload: Payload,
  buildRequest: async (action: ClaimedAction): Promise<ActionRequest> =>
    (await hasSent(action)) ? deferUntilCreated(action, { type: "share_contact_card" }) : "later",
  async failed(tx: Sql, { action, payload, at, error, reason }: Failed) {
    await tx.query({
      name: "forget-card-shares",
      text: `delete from contact_card_shares where account_id = $1 and line_id = $2 and handle = any($3::text[])`,
      values: [action.account_id, action.line_id, payload.handles],
    });
    await recordActionFailed(tx, changedBy(action, at), { kind: action.kind, error, reason });
  },
};
