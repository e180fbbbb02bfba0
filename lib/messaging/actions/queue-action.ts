import "server-only";
import type { ActionKindName } from "@/lib/messaging/actions/action-kinds";
import type { Sql } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { clockParameters, platformNowSql } from "@/lib/platform/time/clock";

/** An action to perform in a chat. */
export interface NewAction {
  accountId: string;
  lineId: string;
  chatId: string;
  /** The message of the action; null for an action on the chat itself. */
  messageId: string | null;
  kind: ActionKindName;
  /** Matches the schema of the kind. */
  payload: unknown;
  traceId: string;
  at: Date;
}

/**
 * Queues an action in the caller's transaction and returns its id. The actions of a chat are performed one after the
 * other, in this order, each at least once. The kind handles the outcome (action-kinds.ts).
 */
export async function queueAction(tx: Sql, action: NewAction): Promise<string> {
  const id = newId(action.at.getTime(), action.accountId, "action", action.chatId);
  await tx.query({
    name: "queue-action",
    text: `insert into chat_actions
             (account_id, id, chat_id, line_id, message_id, kind, payload, trace_id, created_at, run_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, least($9, ${platformNowSql("$10", "$11")}))`,
    values: [
      action.accountId,
      id,
      action.chatId,
      action.lineId,
      action.messageId,
      action.kind,
      JSON.stringify(action.payload),
      action.traceId,
      action.at,
      ...clockParameters(),
    ],
  });
  tx.wake("actions");
  return id;
}
