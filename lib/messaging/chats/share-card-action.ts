import "server-only";
import { z } from "zod";
import type { ActionFailure, ActionRequest } from "@/lib/messaging/actions/action-kind";
import type { ClaimedAction } from "@/lib/messaging/actions/claim-actions";
import { changedBy, deferUntilCreated } from "@/lib/messaging/chats/change-by-action";
import { recordActionFailed } from "@/lib/messaging/chats/change-chat";
import { type Sql, sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const Payload = z.object({ handles: z.array(z.string()) });

type Failed = { action: ClaimedAction; payload: z.infer<typeof Payload>; at: Date } & ActionFailure;

const CHAT_HAS_SENT = statement(
  "chat-has-sent",
  `select id from messages
  where account_id = :accountId and chat_id = :chatId and is_from_me and sent_at is not null limit 1`,
);

// A card shared right after the first reply waits until that message has been sent.
async function hasSent({ account_id, chat_id }: ClaimedAction): Promise<boolean> {
  const sent = await sql.run(CHAT_HAS_SENT, { accountId: account_id, chatId: chat_id });
  return sent.length > 0;
}

const FORGET_CARD_SHARES = statement(
  "forget-card-shares",
  `delete from contact_card_shares where account_id = :accountId and line_id = :lineId and handle = any(:handles::text[])`,
);

/** Shares the line's contact card in a chat. A failed share does not count, so it can be retried. */
export const shareContactCardAction = {
  payload: Payload,
  buildRequest: async (action: ClaimedAction): Promise<ActionRequest> =>
    (await hasSent(action)) ? deferUntilCreated(action, { type: "share_contact_card" }) : "later",
  async failed(tx: Sql, { action, payload, at, error, reason }: Failed) {
    await tx.run(FORGET_CARD_SHARES, {
      accountId: action.account_id,
      lineId: action.line_id,
      handles: payload.handles,
    });
    await recordActionFailed(tx, changedBy(action, at), { kind: action.kind, error, reason });
  },
};
