import "server-only";
import { toHandle } from "@/lib/adapters/transports/imsg/imsg-handle";
import { toParts } from "@/lib/adapters/transports/imsg/imsg-parts";
import type { ImsgMessage, RowContext } from "@/lib/adapters/transports/imsg/imsg-payloads";
import { toPollEvents } from "@/lib/adapters/transports/imsg/imsg-polls";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef, PartRef } from "@/lib/adapters/transports/refs";
import { now } from "@/lib/platform/time/clock";

const REACTIONS: Readonly<
  Record<string, "love" | "like" | "dislike" | "laugh" | "emphasize" | "question" | undefined>
> = {
  __proto__: null as never,
  love: "love",
  like: "like",
  dislike: "dislike",
  laugh: "laugh",
  emphasis: "emphasize",
  emphasize: "emphasize",
  question: "question",
};

/** A row of a person that names no sender. */
export class NoSender extends Error {}

/**
 * Converts a row of a person. Rows without content, such as changes of a group, are no events. Throws NoSender for a
 * row with content that names no sender.
 */
export function toEvents(context: RowContext, message: ImsgMessage): InEvent[] {
  const from = senderOf(context.line, message);
  if (from === null) {
    if (message.poll === undefined && toParts(context.settings, message).length === 0) return [];
    throw new NoSender("a row of Messages has no sender");
  }
  if (message.is_reaction === true) return toReaction(message, from);
  if (message.poll !== undefined) {
    const changes = toPollEvents(context, message.poll, from);
    if (changes !== null) return changes;
  }
  const parts = toParts(context.settings, message);
  if (parts.length === 0) return [];
  const isGroup = isGroupRow(message);
  const others = message.participants.flatMap((each) => toHandle(context.line, each) ?? []);
  return [
    {
      type: "message",
      ref: refOf(message),
      groupRef: isGroup ? message.chat_guid || message.chat_identifier : null,
      from,
      others: isGroup ? others.filter((each) => each !== from && each !== context.line.phoneNumber) : [],
      service: context.service,
      at: toDate(message.created_at),
      parts,
      isLive: context.isLive,
      ...repliedTo(message),
    },
  ];
}

/** The sender. In a direct chat without one, it is the person of the chat. */
export function senderOf(line: LineRef, message: ImsgMessage): string | null {
  return (
    toHandle(line, message.sender) ?? (isGroupRow(message) ? null : toHandle(line, message.chat_identifier))
  );
}

/** Whether a row is in a group, which its identifiers show too. */
export function isGroupRow({ is_group, chat_guid, chat_identifier }: ImsgMessage): boolean {
  return is_group || chat_guid.includes(";+;") || chat_identifier.includes(";+;");
}

/** Whether Messages has joined a row to its chat. Until then it looks like a direct message. */
export function hasChat({ chat_id, chat_guid, chat_identifier }: ImsgMessage): boolean {
  return chat_id > 0 || chat_guid !== "" || chat_identifier !== "";
}

/** The GUID, which is the same after a restore. Databases of old versions have none. */
function refOf({ guid, id, created_at }: ImsgMessage): string {
  return guid === "" ? `row ${id} of ${created_at}` : guid;
}

/** `reply_to_guid` names the row before, also of messages that reply to nothing. */
function repliedTo({ thread_originator_guid: guid, thread_originator_part: where }: ImsgMessage): {
  replyTo?: PartRef;
} {
  if (guid === undefined) return {};
  const { ref, part } = toPartRef(guid);
  // The part, its first character and its length, such as 1:0:12.
  const [, index] = /^(\d+)(?::|$)/.exec(where ?? "") ?? [];
  return { replyTo: { ref, part: index === undefined ? part : Number(index) } };
}

function toReaction(message: ImsgMessage, from: string): InEvent[] {
  if (message.reacted_to_guid === undefined) return [];
  const type = REACTIONS[message.reaction_type ?? ""];
  const isRemoved = message.is_reaction_add === false;
  // A removal names no emoji when imsg can't read it. A person has one reaction, so it is that one.
  const emoji = message.reaction_emoji ?? null;
  const about = { type: "reaction" as const, ...toPartRef(message.reacted_to_guid), from, isRemoved };
  // A poll reports the row again, and a note would be there twice.
  if (type === undefined && emoji === null && !isRemoved)
    return [{ ...about, reaction: { type: "unknown" }, key: refOf(message) }];
  return [{ ...about, reaction: type === undefined ? { type: "custom", emoji } : { type } }];
}

/** A GUID may name a part, as `p:1/GUID`. */
function toPartRef(guid: string): PartRef {
  const [, part, ref] = /^p:(\d+)\/(.+)$/.exec(guid) ?? [];
  return { ref: ref ?? guid.replace(/^bp:/, ""), part: Number(part ?? 0) };
}

export function toDate(value: string): Date {
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? now() : at;
}
