import "server-only";
import type { z } from "zod";
import { AdapterError, type AdapterErrorKind } from "@/lib/adapters/adapter-error";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import { UnreadableResponse, type UpstreamApi } from "@/lib/adapters/transports/upstream/upstream-api";
import { isUuid, readChat } from "@/lib/adapters/transports/upstream/upstream-chats";
import {
  AddedOptionsData,
  BackgroundData,
  EditData,
  type Envelope,
  FailedData,
  GroupData,
  LocationData,
  MemberData,
  MessageData,
  PollData,
  ReactionData,
  StatusData,
  Tapback,
  TypingData,
  VoteData,
} from "@/lib/adapters/transports/upstream/upstream-envelope";
import { toFailure } from "@/lib/adapters/transports/upstream/upstream-errors";
import { toInMedia } from "@/lib/adapters/transports/upstream/upstream-files";
import { findPosition } from "@/lib/adapters/transports/upstream/upstream-locations";
import { toMessageEvent } from "@/lib/adapters/transports/upstream/upstream-messages";
import { positionOf } from "@/lib/adapters/transports/upstream/upstream-polls";
import { sha256 } from "@/lib/platform/crypto/crypto";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";

/** The context of an event: the API of its line, its time, and its ID, so that repeats are recognized. */
interface Reading {
  api: UpstreamApi;
  at: Date;
  key: string;
}

type Read = (reading: Reading, data: unknown) => Promise<InEvent[]> | InEvent[];

/**
 * Converts an event of the upstream. Changes that the line made itself, and messages that other programs sent through
 * the upstream account, report nothing. Throws ZodError for data that can't be read, and AdapterError when details of
 * the event could not be read from the upstream.
 */
export async function toEvents(api: UpstreamApi, envelope: Envelope): Promise<InEvent[]> {
  const read = READERS[envelope.event_type];
  if (read === undefined) return [];
  return read({ api, at: new Date(envelope.created_at), key: envelope.event_id }, envelope.data);
}

/**
 * As `toEvents`, with an event that can't be read, or whose details the upstream refuses, as `unreadable`: it would hold
 * back all later ones, and the upstream would not send it differently. Throws AdapterError for what may be read later.
 */
export async function readEvent(api: UpstreamApi, envelope: Envelope): Promise<InEvent[]> {
  try {
    return await toEvents(api, envelope);
  } catch (error) {
    if (mayBeReadLater(error)) throw error;
    log.warn(
      { err: error, lineId: api.line.id, type: envelope.event_type },
      "an event of the upstream can't be read",
    );
    return [unreadable(envelope.event_type, envelope, envelope.event_id)];
  }
}

const PASSING_KINDS: ReadonlySet<AdapterErrorKind> = new Set([
  "line_down",
  "rate_limited",
  "unknown_outcome",
]);

/** Whether what could not be read may be read later: the upstream can't be used at the moment. */
export function mayBeReadLater(error: unknown): boolean {
  if (!(error instanceof AdapterError)) return false;
  return PASSING_KINDS.has(error.kind) && !(error instanceof UnreadableResponse);
}

/**
 * A report of the upstream that can't be read. `what` names its kind. A report that comes again, as in a list that is read
 * again, has the same `id` of the upstream, or, without one, the same content.
 */
export function unreadable(what: string, payload: unknown, id?: string): InEvent {
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  return {
    type: "unreadable",
    reason: `Something of the upstream can't be read: ${what.slice(0, 60)}`,
    payload: text,
    key: `unreadable:${sha256(`${what.slice(0, 60)} ${id ?? text}`).toString("hex")}`,
  };
}

const READERS: Readonly<Record<string, Read | undefined>> = {
  __proto__: null as never,
  "message.received": (reading, data) => toMessageEvent(reading, MessageData.parse(data)),
  "message.sent": (_, data) => toReceipt("sent", MessageData.parse(data)),
  "message.delivered": (_, data) => toReceipt("delivered", MessageData.parse(data)),
  "message.read": (_, data) => toReceipt("read", MessageData.parse(data)),
  "message.failed": ({ at }, data) => {
    const { message_id: ref, code, reason, failed_at } = FailedData.parse(data);
    return [{ type: "failed", ref, at: timeOf(failed_at, at), error: toFailure(code, reason ?? "failed") }];
  },
  "message.edited": ({ key }, data) => {
    const { id: ref, direction, sender_handle, part } = EditData.parse(data);
    if (direction === "outbound") return [];
    return [{ type: "edited", ref, part: part.index, from: sender_handle.handle, text: part.text, key }];
  },
  "reaction.added": (reading, data) => toReaction(reading, ReactionData.parse(data), false),
  "poll.reaction.added": (reading, data) => toReaction(reading, ReactionData.parse(data), false),
  "reaction.removed": (reading, data) => toReaction(reading, ReactionData.parse(data), true),
  "participant.added": (reading, data) => toMember(reading, MemberData.parse(data), "added"),
  "participant.removed": (reading, data) => toMember(reading, MemberData.parse(data), "removed"),
  "chat.group_name_updated": (reading, data) => {
    const change = toGroupChange(reading, GroupData.parse(data));
    if (change === null) return [];
    return [{ type: "group_name", ...change.about, name: change.value }];
  },
  "chat.group_icon_updated": (reading, data) => {
    const change = toGroupChange(reading, GroupData.parse(data));
    if (change === null) return [];
    const image = change.value === null ? null : toInMedia(change.value, null, null);
    return [{ type: "group_icon", ...change.about, image }];
  },
  "chat.background_updated": (reading, data) => toBackground(reading, BackgroundData.parse(data)),
  "chat.typing_indicator.started": (reading, data) => toTyping(reading, TypingData.parse(data), true),
  "chat.typing_indicator.stopped": (reading, data) => toTyping(reading, TypingData.parse(data), false),
  "phone_number.status_updated": ({ api }, data) => {
    const { phone_number, new_status } = StatusData.parse(data);
    if (phone_number !== api.number) return [];
    return [{ type: "line_flag", isFlagged: new_status === "FLAGGED" }];
  },
  "poll.received": (reading, data) => toPoll(reading, PollData.parse(data)),
  "poll.sent": (reading, data) => toPollReceipt("sent", reading, PollData.parse(data)),
  "poll.delivered": (reading, data) => toPollReceipt("delivered", reading, PollData.parse(data)),
  "poll.read": (reading, data) => toPollReceipt("read", reading, PollData.parse(data)),
  "poll.failed": ({ at }, data) => {
    const { message_id: ref, error, failed_at } = PollData.parse(data);
    const { code, message } = error ?? { code: 4001, message: "failed" };
    return [{ type: "failed", ref, at: timeOf(failed_at, at), error: toFailure(code, message) }];
  },
  "poll.updated": ({ key }, data) => {
    const { message_id: ref, sender_handle, added_options } = AddedOptionsData.parse(data);
    if (sender_handle == null || sender_handle.is_me === true) return [];
    const options = added_options.map(({ option_id, text }) => ({ ref: option_id, text }));
    return [{ type: "poll_options", ref, from: sender_handle.handle, options, key }];
  },
  "poll.vote.added": (reading, data) => toVote(reading, VoteData.parse(data), false),
  "poll.vote.removed": (reading, data) => toVote(reading, VoteData.parse(data), true),
  "location.sharing.started": async ({ api, key }, data) => {
    const share = LocationData.parse(data);
    if (share.shared_with !== api.number) return [];
    const position = await findPosition(api, share);
    const endsAt = share.ends_at == null ? null : new Date(share.ends_at);
    const about = { type: "location" as const, from: share.shared_by, at: new Date(share.began_at), key };
    return [{ ...about, change: "started", endsAt, position: position?.position ?? null }];
  },
  "location.sharing.stopped": ({ api, at, key }, data) => {
    const { shared_by: from, shared_with, ended_at } = LocationData.parse(data);
    if (shared_with !== api.number) return [];
    return [{ type: "location", from, at: timeOf(ended_at, at), change: "stopped", key }];
  },
};

// Messages without our key were sent by another program that uses the same line.
function toReceipt(type: "sent" | "delivered" | "read", data: MessageData): InEvent[] {
  const { id: ref, direction, service, idempotency_key: messageId } = data;
  if (direction === "inbound" || messageId == null || !isUuid(messageId)) return [];
  const at = timeOf(data[`${type}_at`], now());
  return [{ type, ref, messageId, at, ...(service != null && { service }) }];
}

function toPollReceipt(
  type: "sent" | "delivered" | "read",
  { at }: Reading,
  data: z.output<typeof PollData>,
): InEvent[] {
  if (data.direction === "inbound") return [];
  const { message_id: ref, service } = data;
  return [{ type, ref, at: timeOf(data[`${type}_at`], at), ...(service != null && { service }) }];
}

async function toPoll({ api, at }: Reading, data: z.output<typeof PollData>): Promise<InEvent[]> {
  const from = data.sender_handle?.handle;
  if (data.direction === "outbound" || from === undefined) return [];
  const chat = await readChat(api, data.chat.id);
  const options = (data.poll?.options ?? []).map(({ option_id, text }) => ({ ref: option_id, text }));
  return [
    {
      type: "message",
      ref: data.message_id,
      groupRef: chat.isGroup ? data.chat.id : null,
      from,
      others: chat.isGroup ? chat.others.filter((handle) => handle !== from) : [],
      service: data.service ?? "iMessage",
      at: timeOf(data.received_at, at),
      parts: [{ type: "poll", options }],
    },
  ];
}

function toReaction(
  { key }: Reading,
  { is_from_me, part_index, ...data }: z.output<typeof ReactionData>,
  isRemoved: boolean,
): InEvent[] {
  if (is_from_me) return [];
  const about = { ref: data.message_id, part: part_index ?? 0, from: data.from_handle.handle, key };
  const reaction = toInReaction(key, data);
  return [{ type: "reaction", ...about, isRemoved, reaction }];
}

type Reacted = Pick<z.output<typeof ReactionData>, "reaction_type" | "custom_emoji" | "sticker">;

/** A reaction of a type that Trunkline lacks is its emoji or its image, or `unknown` if it has neither. */
function toInReaction(
  key: string,
  { reaction_type: type, custom_emoji, sticker }: Reacted,
): InEvent<"reaction">["reaction"] {
  const tapback = Tapback.safeParse(type);
  if (tapback.success) return { type: tapback.data };
  const emoji = custom_emoji || null;
  if (type !== "sticker" && emoji !== null) return { type: "custom", emoji };
  if (type !== "sticker" && sticker == null) {
    log.info({ type }, "a reaction of the upstream has an unknown type, and no emoji or image");
    return { type: "unknown" };
  }
  const image =
    sticker == null ? null : toInMedia(sticker.url, sticker.file_name ?? null, sticker.mime_type ?? null);
  return { type: "sticker", ref: key, image, emoji, placement: null };
}

function toMember(
  { api, at, key }: Reading,
  { chat_id: groupRef, participant }: z.output<typeof MemberData>,
  change: "added" | "removed",
): InEvent[] {
  const isOwn = participant.is_me === true || participant.handle === api.number;
  const handle = isOwn ? api.line.phoneNumber : participant.handle;
  const what = change === "removed" && participant.status === "left" ? "left" : change;
  return [{ type: "member", ref: key, groupRef, from: null, at, handle, change: what }];
}

function toGroupChange(
  { at, key }: Reading,
  { chat_id, new_value, changed_by_handle }: z.output<typeof GroupData>,
) {
  if (changed_by_handle?.is_me === true) return null;
  const about = { ref: key, groupRef: chat_id, from: changed_by_handle?.handle ?? null, at };
  return { about, value: new_value ?? null };
}

async function toBackground(
  { api, at, key }: Reading,
  { chat, actor_handle, background }: z.output<typeof BackgroundData>,
): Promise<InEvent[]> {
  if (actor_handle?.is_me === true) return [];
  const place = await placeOf(api, chat.id, actor_handle?.handle);
  // A background of a kind that Trunkline lacks is not shown.
  if (background?.type === "unknown") return [];
  if (background == null) return [{ type: "background", ref: key, ...place, at, background: null }];
  const { type, variant, style, shades, image_url } = background;
  const look = {
    type,
    ...(variant != null && { variant }),
    ...(style != null && { style }),
    ...(shades != null && { shades }),
    ...(image_url != null && { image: toInMedia(image_url, null, null) }),
  };
  return [{ type: "background", ref: key, ...place, at, background: look }];
}

async function toTyping(
  { api, at, key }: Reading,
  { chat_id, actor_handle }: z.output<typeof TypingData>,
  isOn: boolean,
): Promise<InEvent[]> {
  return [{ type: "typing", ref: key, ...(await placeOf(api, chat_id, actor_handle?.handle)), at, isOn }];
}

/** The conversation of a change. In a direct chat, only the other person can have made it. */
async function placeOf(api: UpstreamApi, chatId: string, actor: string | undefined) {
  const { isGroup, others } = await readChat(api, chatId);
  if (isGroup) return { groupRef: chatId, from: actor ?? null };
  return { groupRef: null, from: others[0] ?? actor ?? null };
}

async function toVote(
  { api, key }: Reading,
  { message_id: ref, sender_handle, option_id }: z.output<typeof VoteData>,
  isRemoved: boolean,
): Promise<InEvent[]> {
  if (sender_handle == null || sender_handle.is_me === true) return [];
  const position = await positionOf(api, ref, option_id);
  return [{ type: "vote", ref, from: sender_handle.handle, option: option_id, position, isRemoved, key }];
}

function timeOf(text: string | null | undefined, otherwise: Date): Date {
  return text == null ? otherwise : new Date(text);
}
