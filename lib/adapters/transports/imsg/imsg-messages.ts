import "server-only";
import { z } from "zod";
import { openMacFile } from "@/lib/adapters/transports/imsg/imsg-process";
import type { ImsgSettings } from "@/lib/adapters/transports/imsg/imsg-settings";
import type { InEvent, InMedia, InPart } from "@/lib/adapters/transports/inbound";
import type { LineRef, PartRef } from "@/lib/adapters/transports/refs";
import { now } from "@/lib/platform/clock";
import type { ServiceType } from "@/lib/platform/prisma/enums";

const Attachment = z.object({
  path: z.string().optional(),
  transfer_name: z.string().optional(),
  filename: z.string().optional(),
  mime_type: z.string().optional(),
  is_sticker: z.boolean().optional(),
  missing: z.boolean().optional(),
});

/** A message of imsg (docs/json.md of openclaw/imsg, version 0.15). */
export const ImsgMessage = z.object({
  id: z.int(),
  guid: z.string().min(1),
  chat_guid: z.string().default(""),
  is_group: z.boolean().default(false),
  participants: z.array(z.string()).default([]),
  sender: z.string().default(""),
  is_from_me: z.boolean(),
  text: z.string().default(""),
  created_at: z.string(),
  reply_to_guid: z.string().optional(),
  attachments: z.array(Attachment).default([]),
  is_reaction: z.boolean().optional(),
  reaction_type: z.string().optional(),
  reaction_emoji: z.string().optional(),
  is_reaction_add: z.boolean().optional(),
  reacted_to_guid: z.string().optional(),
  poll: z.unknown().optional(),
});

/** Stands for an attachment in the text of a message. */
const OBJECT = /\ufffc/g;

const REACTIONS: Readonly<
  Record<string, "love" | "like" | "dislike" | "laugh" | "emphasize" | "question" | undefined>
> = {
  love: "love",
  like: "like",
  dislike: "dislike",
  laugh: "laugh",
  emphasis: "emphasize",
  emphasize: "emphasize",
  question: "question",
};

/** Converts a message. Own messages, polls and rows without content are no events. */
export function toEvents(
  line: LineRef,
  settings: ImsgSettings,
  message: z.infer<typeof ImsgMessage>,
  isLive: boolean,
): InEvent[] {
  const from = toHandle(message.sender);
  if (message.is_from_me || from === null || message.poll !== undefined) return [];
  if (message.is_reaction === true) return toReaction(message, from);
  const text = message.text.replaceAll(OBJECT, "").trim();
  const files = message.attachments.flatMap((file) => toMedia(settings, file) ?? []);
  const parts: InPart[] = [...(text === "" ? [] : [{ type: "text" as const, value: text }]), ...files];
  if (parts.length === 0) return [];
  const others = message.participants.flatMap((handle) => toHandle(handle) ?? []);
  return [
    {
      type: "message",
      ref: message.guid,
      groupRef: message.is_group ? message.chat_guid : null,
      from,
      others: message.is_group ? others.filter((each) => each !== from && each !== line.phoneNumber) : [],
      service: serviceOf(message.chat_guid),
      at: toDate(message.created_at),
      parts,
      isLive,
      ...(message.reply_to_guid !== undefined && { replyTo: toPartRef(message.reply_to_guid) }),
    },
  ];
}

function toReaction(message: z.infer<typeof ImsgMessage>, from: string): InEvent[] {
  if (message.reacted_to_guid === undefined) return [];
  const type = REACTIONS[message.reaction_type ?? ""];
  const emoji = message.reaction_emoji;
  if (type === undefined && emoji === undefined) return [];
  const reaction = type === undefined ? { type: "custom" as const, emoji: emoji ?? "" } : { type };
  const isRemoved = message.is_reaction_add === false;
  return [{ type: "reaction", ...toPartRef(message.reacted_to_guid), from, reaction, isRemoved }];
}

function toMedia(settings: ImsgSettings, file: z.infer<typeof Attachment>): InMedia | null {
  const { path, missing } = file;
  if (path === undefined || missing === true) return null;
  const filename = file.transfer_name ?? file.filename ?? "file";
  return {
    type: "media",
    filename: filename.split("/").at(-1) || "file",
    mimeType: file.mime_type ?? null,
    ...(file.is_sticker === true && { sticker: true }),
    open: async () => openMacFile(settings, path),
  };
}

/** A GUID may name a part, as `p:1/GUID`. */
function toPartRef(guid: string): PartRef {
  const [, part, ref] = /^p:(\d+)\/(.+)$/.exec(guid) ?? [];
  return { ref: ref ?? guid.replace(/^bp:/, ""), part: Number(part ?? 0) };
}

/** The GUID of a chat begins with its service. */
function serviceOf(chatGuid: string): ServiceType {
  if (chatGuid.startsWith("SMS;")) return "SMS";
  return chatGuid.startsWith("RCS;") ? "RCS" : "iMessage";
}

/** A phone number or an email address; null for other senders. */
export function toHandle(sender: string): string | null {
  if (/^\+[1-9]\d{1,14}$/.test(sender)) return sender;
  return /^[^\s@]+@[^\s@]+$/.test(sender) ? sender.toLowerCase() : null;
}

function toDate(text: string): Date {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? now() : at;
}
