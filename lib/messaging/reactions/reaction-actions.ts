import "server-only";
import { z } from "zod";
import type { OutReaction } from "@/lib/adapters/transports/actions";
import type { OutMedia } from "@/lib/adapters/transports/outbound";
import { deliverFile } from "@/lib/attachments/conversions/deliver-file";
import type { ActionFailure, ActionRequest } from "@/lib/messaging/actions/action-kind";
import type { ClaimedAction } from "@/lib/messaging/actions/claim-actions";
import { changedBy } from "@/lib/messaging/chats/change-by-action";
import { recordActionFailed } from "@/lib/messaging/chats/change-chat";
import { lockMessage } from "@/lib/messaging/messages/locked-message";
import { requestForMessage } from "@/lib/messaging/messages/request-for-message";
import { removeReaction } from "@/lib/messaging/reactions/change-reaction";
import { ReactionRow, ReactionType, StickerImage } from "@/lib/messaging/reactions/reaction";
import { firstPlacement, StoredPlacement } from "@/lib/messaging/reactions/sticker-placement";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const ReactPayload = z.object({
  reaction_id: z.uuid(),
  part: z.int(),
  is_removed: z.boolean(),
  type: ReactionType,
  emoji: z.string().nullable(),
  image: StickerImage.nullable(),
  placement: StoredPlacement.nullable(),
});

export type ReactPayload = z.infer<typeof ReactPayload>;

type Failed = { action: ClaimedAction; at: Date } & ActionFailure;

/**
 * Adds or removes the line's reaction to a part of a message. A reaction that the network rejects is removed again; a
 * rejected removal is recorded.
 */
export const reactAction = {
  payload: ReactPayload,
  buildRequest: (action: ClaimedAction, payload: ReactPayload) =>
    requestForMessage(action, (ref) => toAction(action, payload, ref)),
  failed: (tx: Sql, failed: Failed & { payload: ReactPayload }) =>
    failed.payload.is_removed ? noteFailed(tx, failed) : takeOff(tx, failed),
};

const MovePayload = z.object({ reaction_id: z.uuid(), placement: StoredPlacement });

/** Moves an outbound sticker. A rejection by the network is recorded. */
export const moveStickerAction = {
  payload: MovePayload,
  buildRequest: (action: ClaimedAction, { reaction_id, placement }: z.infer<typeof MovePayload>) =>
    requestForMessage(action, (ref) => ({ type: "move_sticker", ref, reactionId: reaction_id, placement })),
  failed: noteFailed,
};

async function noteFailed(tx: Sql, { action, at, error, reason }: Failed): Promise<void> {
  await recordActionFailed(tx, changedBy(action, at), { kind: action.kind, error, reason });
}

async function toAction(action: ClaimedAction, payload: ReactPayload, ref: string): Promise<ActionRequest> {
  const { reaction_id, part, is_removed } = payload;
  const reaction = await toOutReaction(action.account_id, payload);
  if (reaction === null) return { error: "delivery_failed", reason: "the sticker's image was deleted" };
  return { type: "react", reactionId: reaction_id, reaction, isRemoved: is_removed, ref, part };
}

async function toOutReaction(
  accountId: string,
  { type, emoji, image: photo, placement }: ReactPayload,
): Promise<OutReaction | null> {
  if (type === "custom") return { type, emoji: emoji ?? "" };
  if (type !== "sticker") return { type };
  const lies = placement ?? firstPlacement(photo === null);
  if (photo === null) return { type, image: null, emoji, placement: lies };
  const image = await toOutMedia(accountId, photo);
  return image && { type, image, emoji: null, placement: lies };
}

async function toOutMedia(accountId: string, photo: StickerImage): Promise<OutMedia | null> {
  const { attachment_id, filename, mime_type, size_bytes } = photo;
  const file = await deliverFile({
    accountId,
    attachmentId: attachment_id,
    filename,
    contentType: mime_type,
    sizeBytes: size_bytes,
  });
  return (
    file && {
      type: "media",
      attachmentId: attachment_id,
      filename: file.filename,
      mimeType: file.contentType,
      sizeBytes: file.sizeBytes,
      sticker: true,
      open: file.open,
    }
  );
}

const FIND_REACTION = statement(
  "find-reaction",
  `select id, part_index, participant_id, type, emoji, image from reactions
  where account_id = :accountId and message_id = :messageId and part_index = :part and id = :reactionId`,
);

async function takeOff(
  tx: Sql,
  { action, payload, at }: { action: ClaimedAction; payload: ReactPayload; at: Date },
): Promise<void> {
  const message = await lockMessage(tx, action.account_id, action.message_id ?? "");
  if (message === null) return;
  const [row] = await tx.run(FIND_REACTION, {
    accountId: message.account_id,
    messageId: message.id,
    part: payload.part,
    reactionId: payload.reaction_id,
  });
  if (row === undefined) return;
  const change = { who: message.me, partIndex: payload.part, traceId: action.trace_id, at };
  await removeReaction(tx, message, { reaction: ReactionRow.parse(row), change });
}
