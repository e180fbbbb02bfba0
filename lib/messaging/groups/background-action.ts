import "server-only";
import { z } from "zod";
import type { ActionFailure, ActionRequest } from "@/lib/messaging/actions/action-kind";
import type { ClaimedAction } from "@/lib/messaging/actions/claim-actions";
import { changedBy, deferUntilCreated } from "@/lib/messaging/chats/change-by-action";
import { type ChangedChat, emitChatEvent } from "@/lib/messaging/chats/change-chat";
import { findParty } from "@/lib/messaging/chats/find-party";
import { StoredImage, toOutImage } from "@/lib/messaging/chats/stored-image";
import { BACKGROUND_EVENTS } from "@/lib/messaging/groups/background-events";
import type { Sql } from "@/lib/platform/database/db";
import type { ErrorName } from "@/lib/platform/errors/errors";
import type { ChatHandle } from "@/lib/recipients/handles/chat-handle";

/** A background with its source image. */
export const StoredBackground = z.object({
  type: z.enum(["color", "dynamic", "photo"]),
  variant: z.string().optional(),
  style: z.enum(["sky", "water", "aurora", "glitter"]).optional(),
  shades: z.tuple([z.string(), z.string()]).optional(),
  image: StoredImage.optional(),
});

export type StoredBackground = z.infer<typeof StoredBackground>;

const Payload = z.object({ background: StoredBackground.nullable() });

type Ended = { action: ClaimedAction; payload: z.infer<typeof Payload>; at: Date };

/** Sets or removes a chat's background. */
export const setBackgroundAction = {
  payload: Payload,
  async buildRequest(action: ClaimedAction, { background }: z.infer<typeof Payload>): Promise<ActionRequest> {
    if (background === null) return deferUntilCreated(action, { type: "set_background", background });
    const { image: photo, ...look } = background;
    if (photo === undefined) return deferUntilCreated(action, { type: "set_background", background: look });
    const image = await toOutImage(action.account_id, photo);
    if (image === null)
      return { error: "download_failed", reason: "the image was deleted before the background was set" };
    return deferUntilCreated(action, { type: "set_background", background: { ...look, image } });
  },
  async done(tx: Sql, { action, payload, at }: Ended) {
    const chat = changedBy(action, at);
    const { me } = await findParty(tx, chat);
    await emitBackgroundUpdated(tx, chat, payload.background, { me, by: me, isGroup: action.is_group });
  },
  async failed(tx: Sql, { action, at, error }: Ended & ActionFailure) {
    await emitChatEvent(tx, changedBy(action, at), BACKGROUND_EVENTS["chat.background_update_failed"], {
      chat_id: action.chat_id,
      error_code: FAILURE_CODES.get(error) ?? 4001,
      failed_at: at.toISOString(),
    });
  },
};

/** The event supports only these codes and 4001 (docs/contract.md, section 12.5). */
const FAILURE_CODES: ReadonlyMap<ErrorName, 1005 | 2011 | 5002> = new Map([
  ["parameter_invalid", 1005],
  ["feature_not_available", 2011],
  ["download_failed", 5002],
] as const);

/** Emits chat.background_updated; null = the background was removed. */
export async function emitBackgroundUpdated(
  tx: Sql,
  chat: ChangedChat,
  background: StoredBackground | null,
  { me, by, isGroup }: { me: ChatHandle; by: ChatHandle | null; isGroup: boolean },
): Promise<void> {
  await emitChatEvent(tx, chat, BACKGROUND_EVENTS["chat.background_updated"], {
    chat: { id: chat.chatId, is_group: isGroup, owner_handle: me },
    ...(by && { actor_handle: by }),
    ...(background && { background }),
  });
}
