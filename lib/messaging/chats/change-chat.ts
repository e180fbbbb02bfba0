import "server-only";
import { z } from "zod";
import {
  defineInternalEvent,
  type EventData,
  type StoredEventType,
} from "@/lib/events/catalog/define-events";
import { emitEvents, newEvent } from "@/lib/events/store/emit-event";
import type { Sql } from "@/lib/platform/database/db";
import type { ErrorName } from "@/lib/platform/errors/errors";
import { ERRORS } from "@/lib/platform/errors/errors";

/** The chat of a change, and its time. */
export interface ChangedChat {
  accountId: string;
  lineId: string;
  chatId: string;
  traceId: string;
  at: Date;
}

/** An action in a chat that was not done, or can't be shown. `kind` names the action, or why it was skipped. */
const ACTION_FAILED = defineInternalEvent(
  "chat.action_failed",
  z.object({
    kind: z.string(),
    handle: z.string().optional(),
    error_code: z.int().optional(),
    reason: z.string().optional(),
  }),
);

/** Emits one event about a chat. */
export async function emitChatEvent<Definition extends StoredEventType>(
  tx: Sql,
  { accountId, lineId, chatId, traceId, at }: ChangedChat,
  definition: Definition,
  data: EventData<Definition>,
): Promise<void> {
  const about = { accountId, lineId, chatId, messageId: null, traceId, at };
  await emitEvents(tx, [newEvent(definition, about, data)]);
}

/** Records for the timeline that an action was accepted but skipped; `kind` names the reason. */
export async function recordActionSkipped(
  tx: Sql,
  chat: ChangedChat,
  kind: "card_before_message" | "card_shared_recently",
): Promise<void> {
  await emitChatEvent(tx, chat, ACTION_FAILED, { kind });
}

/** Records for the timeline that a person reacted in a way that Trunkline can't show. */
export async function recordUnknownReaction(tx: Sql, chat: ChangedChat, handle: string): Promise<void> {
  await emitChatEvent(tx, chat, ACTION_FAILED, { kind: "unknown_reaction", handle });
}

/** Records for the timeline that an action failed, when no partner-facing event reports the failure. */
export async function recordActionFailed(
  tx: Sql,
  chat: ChangedChat,
  { error, ...failed }: { kind: string; handle?: string; error: ErrorName; reason: string },
): Promise<void> {
  await emitChatEvent(tx, chat, ACTION_FAILED, { ...failed, error_code: ERRORS[error].code });
}
