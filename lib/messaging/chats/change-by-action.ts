import "server-only";
import type { Action } from "@/lib/adapters/transports/actions";
import type { ActionRequest } from "@/lib/messaging/actions/action-kind";
import type { ClaimedAction } from "@/lib/messaging/actions/claim-actions";
import type { ChangedChat } from "@/lib/messaging/chats/change-chat";

/** The action, or `later` while the transport has not yet created the group. */
export function deferUntilCreated(action: ClaimedAction, wanted: Action): ActionRequest {
  return action.is_group && action.group_ref === null ? "later" : wanted;
}

/** The chat that an action has changed. */
export function changedBy(action: ClaimedAction, at: Date): ChangedChat {
  const { account_id: accountId, line_id: lineId, chat_id: chatId, trace_id: traceId } = action;
  return { accountId, lineId, chatId, traceId, at };
}
