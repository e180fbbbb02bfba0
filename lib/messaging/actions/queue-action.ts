import "server-only";
import type { ActionKindName } from "@/lib/messaging/actions/action-kinds";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
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

const QUEUE_ACTION = statement(
  "queue-action",
  `insert into chat_actions
    (account_id, id, chat_id, line_id, message_id, kind, payload, trace_id, created_at, run_at)
  values (:accountId, :id, :chatId, :lineId, :messageId, :kind, :payload, :traceId, :actionAt, least(:actionAt, ${platformNowSql()}))`,
);

/**
 * Queues an action in the caller's transaction and returns its id. The actions of a chat are performed one after the
 * other, in this order, each at least once. The kind handles the outcome (action-kinds.ts).
 */
export async function queueAction(tx: Sql, action: NewAction): Promise<string> {
  const id = newId(action.at.getTime(), action.accountId, "action", action.chatId);
  await tx.run(QUEUE_ACTION, {
    accountId: action.accountId,
    id,
    chatId: action.chatId,
    lineId: action.lineId,
    messageId: action.messageId,
    kind: action.kind,
    payload: JSON.stringify(action.payload),
    traceId: action.traceId,
    actionAt: action.at,
    ...clockParameters(),
  });
  tx.wake("actions");
  return id;
}
