import "server-only";
import type { StickerPlacement } from "@/lib/adapters/transports/actions";
import { emitEvents, type NewEvent, newEvent } from "@/lib/events/store/emit-event";
import { eventIds } from "@/lib/messaging/edits/edit-text";
import { type LockedMessage, serviceOf } from "@/lib/messaging/messages/locked-message";
import { normalizeEmoji } from "@/lib/messaging/reactions/one-emoji";
import type { StickerImage } from "@/lib/messaging/reactions/reaction";
import { POLL_STICKER_REJECTED, REACTION_EVENTS } from "@/lib/messaging/reactions/reaction-events";
import type { Sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
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

type KeptReaction = RowOf<"find-own-reaction">;

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

const FIND_OWN_REACTION = statement(
  "find-own-reaction",
  `select id, type, emoji, image as "image: StickerImage" from reactions
  where account_id = :accountId and message_id = :messageId and part_index = :partIndex and participant_id = :whoId and type <> 'sticker'`,
);

async function findOwn(
  tx: Sql,
  message: LockedMessage,
  change: ReactionChange,
): Promise<KeptReaction | null> {
  const [row] = await tx.run(FIND_OWN_REACTION, {
    accountId: message.account_id,
    messageId: message.id,
    partIndex: change.partIndex,
    whoId: change.who.id,
  });
  return row ?? null;
}

const ADD_REACTION = statement(
  "add-reaction",
  `insert into reactions
    (account_id, message_id, part_index, id, participant_id, type, emoji, image, placement, ref, created_at)
  values (:accountId, :messageId, :partIndex, :id, :whoId, :changeType::text::reaction_type, :emoji, :image, :placement, :ref, :changeAt)
  on conflict do nothing returning id`,
);

async function addReaction(tx: Sql, message: LockedMessage, change: ReactionChange): Promise<string | null> {
  const id = newId(change.at.getTime(), message.account_id, "reaction", message.id);
  const rows = await tx.run(ADD_REACTION, {
    accountId: message.account_id,
    messageId: message.id,
    partIndex: change.partIndex,
    id,
    whoId: change.who.id,
    changeType: change.type,
    emoji: change.emoji,
    image: change.image === null ? null : JSON.stringify(change.image),
    placement: change.placement === null ? null : JSON.stringify(change.placement),
    ref: change.ref,
    changeAt: change.at,
  });
  if (rows.length === 0) return null;
  await emitEvents(tx, [eventOf(message, { reaction: { ...change, id }, change }, "added")]);
  return id;
}

interface Reported {
  reaction: KeptReaction;
  change: Pick<ReactionChange, "who" | "partIndex" | "traceId" | "at">;
}

const REMOVE_REACTION = statement(
  "remove-reaction",
  "delete from reactions where account_id = :accountId and message_id = :messageId and part_index = :partIndex and id = :reactionId",
);

/** Removes a reaction, with its event. */
export async function removeReaction(tx: Sql, message: LockedMessage, emitted: Reported): Promise<void> {
  await tx.run(REMOVE_REACTION, {
    accountId: message.account_id,
    messageId: message.id,
    partIndex: emitted.change.partIndex,
    reactionId: emitted.reaction.id,
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
