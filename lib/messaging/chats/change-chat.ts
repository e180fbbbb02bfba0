import "server-only";
import type { EventType, FactsOf } from "@/lib/events/catalog";
import { emitEvents } from "@/lib/events/emit-event";
import type { Sql } from "@/lib/platform/db";
import type { ErrorName } from "@/lib/platform/errors";
import { ERRORS } from "@/lib/platform/errors";

/** The chat a change is about, and when it came. */
export interface ChangedChat {
  accountId: string;
  lineId: string;
  chatId: string;
  traceId: string;
  at: Date;
}

/** Emits one event about a chat. */
export async function emitChatEvent<Type extends EventType>(
  tx: Sql,
  chat: ChangedChat,
  type: Type,
  data: FactsOf<Type>,
): Promise<void> {
  const { accountId, lineId, chatId, traceId, at } = chat;
  await emitEvents(tx, [{ accountId, lineId, chatId, messageId: null, traceId, at, type, data }]);
}

/** Notes for the timeline that something asked for in a chat was accepted and left undone; `kind` names why. */
export async function noteActionSkipped(
  tx: Sql,
  { accountId, lineId, chatId, traceId, at }: ChangedChat,
  kind: "card_before_message" | "card_shared_recently",
): Promise<void> {
  const about = { accountId, lineId, chatId, messageId: null, traceId, at };
  await emitEvents(tx, [{ ...about, type: "chat.action_failed", internal: true, data: { kind } }]);
}

/** Notes for the timeline that something asked for in a chat was not done, where no partner-facing event says so. */
export async function noteActionFailed(
  tx: Sql,
  { accountId, lineId, chatId, traceId, at }: ChangedChat,
  failed: { kind: string; handle?: string; error: ErrorName; reason: string },
): Promise<void> {
  const { error, ...facts } = failed;
  const data = { ...facts, error_code: ERRORS[error].code };
  const about = { accountId, lineId, chatId, messageId: null, traceId, at };
  await emitEvents(tx, [{ ...about, type: "chat.action_failed", internal: true, data }]);
}
