import "server-only";
import type { StickerPlacement } from "@/lib/adapters/transports/actions";
import { emitEvents, type NewEvent, newEvent } from "@/lib/events/store/emit-event";
import { eventIds } from "@/lib/messaging/edits/edit-text";
import { type LockedMessage, serviceOf } from "@/lib/messaging/messages/locked-message";
import { normalizeEmoji } from "@/lib/messaging/reactions/one-emoji";
import type { StickerImage } from "@/lib/messaging/reactions/reaction";
import { POLL_STICKER_REJECTED, REACTION_EVENTS } from "@/lib/messaging/reactions/reaction-events";
import type { Sql } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import type { ReactionType } from "@/lib/platform/prisma/enums";
import type { ChatHandle } from "@/lib/recipients/handles/chat-handle";

/** A reaction that a participant adds or removes. */
export interface ReactionChange {
  who: ChatHandle;
  partIndex: number;
  isRemoved: boolean;
  type: ReactionType;
  emoji: string | null;
  image: StickerImage | null;
  placement: StickerPlacement | null;
  /** The vendor's id of an inbound sticker. */
  ref: string | null;
  traceId: string;
  at: Date;
}

interface KeptReaction {
  id: string;
  type: ReactionType;
  emoji: string | null;
  image: StickerImage | null;
}

/**
 * Changes a participant's reaction to a part, with its events. A new reaction replaces the old one; stickers
 * accumulate, as in iMessage. Returns the id of the added or removed reaction, or null when nothing changed.
 */
export async function changeReaction(
  tx: Sql,
  message: LockedMessage,
  change: ReactionChange,
): Promise<string | null> {
  const known = change.type === "sticker" ? null : await findOwn(tx, message, change);
  const isSame = known !== null && known.type === change.type && isEmoji(known, change);
  if (change.isRemoved) {
    if (known === null || !isSame) return null;
    await removeReaction(tx, message, { reaction: known, change });
    return known.id;
  }
  if (isSame) return null;
  if (known !== null) await removeReaction(tx, message, { reaction: known, change });
  return addReaction(tx, message, change);
}

// A participant who removes "custom" without naming the emoji has only one.
function isEmoji(known: KeptReaction, { emoji, isRemoved }: ReactionChange): boolean {
  if (emoji === null || known.emoji === null) return known.emoji === emoji || isRemoved;
  // Earlier releases stored emoji as they came.
  return normalizeEmoji(known.emoji) === normalizeEmoji(emoji);
}

async function findOwn(
  tx: Sql,
  message: LockedMessage,
  change: ReactionChange,
): Promise<KeptReaction | null> {
  const [row] = await tx.query<KeptReaction>({
    name: "find-own-reaction",
    text: `select id, type, emoji, image from reactions
           where account_id = $1 and message_id = $2 and part_index = $3 and participant_id = $4 and type <> 'sticker'`,
    values: [message.account_id, message.id, change.partIndex, change.who.id],
  });
  return row ?? null;
}

async function addReaction(tx: Sql, message: LockedMessage, change: ReactionChange): Promise<string | null> {
  const id = newId(change.at.getTime(), message.account_id, "reaction", message.id);
  const rows = await tx.query<{ id: string }>({
    name: "add-reaction",
    text: `insert into reactions
             (account_id, message_id, part_index, id, participant_id, type, emoji, image, placement, ref, created_at)
           values ($1, $2, $3, $4, $5, $6::text::reaction_type, $7, $8, $9, $10, $11)
           on conflict do nothing returning id`,
    values: [
      message.account_id,
      message.id,
      change.partIndex,
      id,
      change.who.id,
      change.type,
      change.emoji,
      change.image === null ? null : JSON.stringify(change.image),
      change.placement === null ? null : JSON.stringify(change.placement),
      change.ref,
      change.at,
    ],
  });
  if (rows.length === 0) return null;
  await emitEvents(tx, [eventOf(message, { reaction: { ...change, id }, change }, "added")]);
  return id;
}

interface Reported {
  reaction: KeptReaction;
  change: Pick<ReactionChange, "who" | "partIndex" | "traceId" | "at">;
}

/** Removes a reaction, with its event. */
export async function removeReaction(tx: Sql, message: LockedMessage, emitted: Reported): Promise<void> {
  await tx.query({
    name: "remove-reaction",
    text: "delete from reactions where account_id = $1 and message_id = $2 and part_index = $3 and id = $4",
    values: [message.account_id, message.id, emitted.change.partIndex, emitted.reaction.id],
  });
  await emitEvents(tx, [eventOf(message, emitted, "removed")]);
}

function eventOf(
  message: LockedMessage,
  { reaction, change }: Reported,
  what: "added" | "removed",
): NewEvent {
  const { image } = reaction;
  const data = {
    is_from_me: change.who.is_me === true,
    reaction_type: reaction.type,
    chat_id: message.chat_id,
    message_id: message.id,
    part_index: change.partIndex,
    custom_emoji: reaction.emoji,
    from_handle: change.who,
    reacted_at: change.at.toISOString(),
    service: serviceOf(message) ?? message.line_type,
    sticker: image === null ? null : toStickerData(image),
  };
  const about = { ...eventIds(message), traceId: change.traceId, at: change.at };
  if (message.kind !== "poll") return newEvent(REACTION_EVENTS[`reaction.${what}`], about, data);
  const sticker = { ...data, reaction_type: "sticker" as const };
  return newEvent(
    what === "added" ? REACTION_EVENTS["poll.reaction.added"] : POLL_STICKER_REJECTED,
    about,
    sticker,
  );
}

function toStickerData(photo: StickerImage) {
  const { partner_id, attachment_id, filename, ephemeral, width, height, mime_type } = photo;
  return { image: { partner_id, attachment_id, filename, ephemeral }, width, height, mime_type };
}
