import "server-only";
import type { InboundReaction, InMedia } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { AttachmentRow } from "@/lib/attachments/attachment";
import { insertAttachments } from "@/lib/attachments/insert-attachments";
import { recordFileUses } from "@/lib/attachments/media/media-rows";
import { removeAttachment } from "@/lib/attachments/remove-attachment";
import { storeReceivedFile } from "@/lib/attachments/store/store-received-file";
import { traceReceived } from "@/lib/lines/connections/trace-received";
import { recordUnknownReaction } from "@/lib/messaging/chats/change-chat";
import { lockReportedMessage } from "@/lib/messaging/messages/lock-reported-message";
import { changeReaction } from "@/lib/messaging/reactions/change-reaction";
import { normalizeEmoji } from "@/lib/messaging/reactions/one-emoji";
import { ReactionType, type StickerImage } from "@/lib/messaging/reactions/reaction";
import { toStickerImage } from "@/lib/messaging/reactions/resolve-sticker";
import { firstPlacement } from "@/lib/messaging/reactions/sticker-placement";
import { outageOf } from "@/lib/platform/database/database-outage";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { ApiError } from "@/lib/platform/errors/errors";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";
import { isBlocked } from "@/lib/recipients/blocks/is-blocked";

const MAX_WAIT_MS = 8000;

/**
 * Stores a contact's reaction to a message, or its removal. A repeat, a reaction to an unknown message, and a reaction
 * from a contact who is blocked or not in the chat change nothing. Reactions do not affect opt-outs
 * (docs/contract.md, section 8.2).
 */
export async function receiveReaction(line: LineRef, reported: InboundReaction): Promise<void> {
  const reaction = knownReaction(reported.reaction);
  if (reaction === null) return noteUnknown(line, reported);
  const inbound = { ...reported, reaction };
  const file = reaction.type === "sticker" && reaction.image ? await takeFile(line, reaction.image) : null;
  const isRequired = reaction.type === "sticker" && reaction.image?.isRequired === true;
  const photo = file === null ? null : await toPhoto(file, isRequired);
  const isKept = await traceReceived(line, "reaction", (traceId) =>
    transaction((tx) => store(tx, line, { inbound, photo, traceId })),
  );
  if ((!isKept || photo === null) && file !== null) {
    await removeAttachment({ accountId: line.accountId, attachmentId: file.id });
  }
}

/**
 * A type that a vendor added arrives as `custom` when it carries an emoji, so that a transport may pass any type.
 * Returns null for one without: it is a note on the timeline (docs/contract.md, section 8.2).
 */
function knownReaction(reaction: InboundReaction["reaction"]): KnownReaction | null {
  if (ReactionType.safeParse(reaction.type).success) return reaction as KnownReaction;
  const emoji: unknown = Reflect.get(reaction, "emoji");
  return typeof emoji !== "string" || emoji === "" ? null : { type: "custom", emoji };
}

async function noteUnknown(line: LineRef, { ref, from, isRemoved }: InboundReaction): Promise<void> {
  if (isRemoved) return;
  await traceReceived(line, "reaction", (traceId) =>
    transaction(async (tx) => {
      const message = await lockReportedMessage(tx, line, ref);
      if (message === null || ![...message.handles.values()].some(({ handle }) => handle === from)) return;
      if (!message.is_group && (await isBlocked(tx, line.accountId, from))) return;
      const chat = {
        accountId: line.accountId,
        lineId: line.id,
        chatId: message.chat_id,
        traceId,
        at: now(),
      };
      await recordUnknownReaction(tx, chat, from);
    }),
  );
}

type KnownReaction = Exclude<InboundReaction["reaction"], { type: "unknown" }>;

interface Taken {
  inbound: Omit<InboundReaction, "reaction"> & { reaction: KnownReaction };
  photo: StickerImage | null;
  traceId: string;
}

async function store(tx: Sql, line: LineRef, { inbound, photo, traceId }: Taken): Promise<boolean> {
  const { reaction, part, from, isRemoved } = inbound;
  const message = await lockReportedMessage(tx, line, inbound.ref);
  const who = [...(message?.handles.values() ?? [])].find(({ handle }) => handle === from);
  if (message === null || who === undefined) return false;
  if (part >= (message.kind === "poll" ? 1 : message.parts.length)) return false;
  if (!message.is_group && (await isBlocked(tx, line.accountId, from))) return false;

  const isSticker = reaction.type === "sticker";
  const id = await changeReaction(tx, message, {
    who,
    partIndex: part,
    isRemoved,
    type: reaction.type,
    emoji: "emoji" in reaction && reaction.emoji !== null ? normalizeEmoji(reaction.emoji) : null,
    image: photo,
    placement: isSticker ? (reaction.placement ?? firstPlacement(photo === null)) : null,
    ref: isSticker ? reaction.ref : null,
    traceId,
    at: now(),
  });
  if (id !== null && photo !== null) {
    await recordFileUses(tx, line.accountId, message.id, [{ id: photo.attachment_id }]);
  }
  return id !== null;
}

// The image of a sticker is an ornament: a reaction never fails for it.
async function takeFile(line: LineRef, image: InMedia): Promise<AttachmentRow | null> {
  const { accountId, id: lineId } = line;
  try {
    const file = await storeReceivedFile(accountId, image, { signal: AbortSignal.timeout(MAX_WAIT_MS) });
    const at = now();
    const [row] = await insertAttachments(sql, {
      accountId,
      lineId,
      source: "received",
      status: "complete",
      at,
      files: [file],
    });
    return row ?? null;
  } catch (error) {
    if (image.isRequired === true || outageOf(error) !== null) throw error;
    log.warn({ lineId }, "the image of an inbound sticker was omitted");
    return null;
  }
}

async function toPhoto(file: AttachmentRow, isRequired: boolean): Promise<StickerImage | null> {
  try {
    return await toStickerImage(file);
  } catch (error) {
    if (isRequired || !(error instanceof ApiError)) throw error;
    return null;
  }
}
