import "server-only";
import { z } from "zod";
import type { ImsgSettings } from "@/lib/adapters/transports/imsg/imsg-settings";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { ServiceType } from "@/lib/platform/prisma/enums";

const text = z.string().catch("");
const optionalText = z.string().min(1).optional().catch(undefined);

/** An attachment of a row (Sources/imsg/OutputModels.swift of openclaw/imsg, `AttachmentPayload`). */
const ImsgAttachment = z.object({
  filename: text,
  transfer_name: text,
  uti: text,
  mime_type: text,
  total_bytes: z.number().catch(0),
  is_sticker: z.boolean().catch(false),
  original_path: text,
});

export type ImsgAttachment = z.infer<typeof ImsgAttachment>;

const Option = z.object({ id: z.string().min(1), text: z.string().catch("") });
const Vote = z.object({
  option_id: z.string().min(1),
  participant: z.string().optional().catch(undefined),
  event_type: z.string().optional().catch(undefined),
});

/** The poll of a row (Sources/IMsgCore/MessagePolls.swift of openclaw/imsg). */
const ImsgPoll = z.object({
  kind: z.enum(["created", "vote", "unknown"]).catch("unknown"),
  poll_guid: z.string().optional().catch(undefined),
  options: z.array(Option).catch([]),
  vote: Vote.optional().catch(undefined),
  votes: z.array(Vote).optional().catch(undefined),
  original_guid: z.string().optional().catch(undefined),
});

export type ImsgPoll = z.infer<typeof ImsgPoll>;

export type ImsgVote = z.infer<typeof Vote>;

/** A row of imsg (Sources/imsg/OutputModels.swift of openclaw/imsg, version 0.15). No odd field loses the others. */
export const ImsgMessage = z.object({
  id: z.int(),
  cursor: z.int().optional().catch(undefined),
  chat_id: z.int().catch(0),
  chat_identifier: text,
  chat_guid: text,
  is_group: z.boolean().catch(false),
  participants: z.array(z.string()).catch([]),
  guid: text,
  thread_originator_guid: optionalText,
  thread_originator_part: optionalText,
  sender: text,
  is_from_me: z.boolean(),
  text,
  created_at: text,
  attachments: z.array(ImsgAttachment).catch([]),
  destination_caller_id: optionalText,
  balloon_bundle_id: optionalText,
  url_preview: z.unknown().optional(),
  poll: ImsgPoll.optional().catch(undefined),
  is_reaction: z.boolean().optional().catch(undefined),
  reaction_type: optionalText,
  reaction_emoji: optionalText,
  is_reaction_add: z.boolean().optional().catch(undefined),
  reacted_to_guid: optionalText,
});

export type ImsgMessage = z.infer<typeof ImsgMessage>;

/** The context of a row: its line with its settings, the service of its chat, and the options of its poll. */
export interface RowContext {
  line: LineRef;
  settings: ImsgSettings;
  service: ServiceType;
  isLive: boolean;
  /** The options of a poll that came before, in their order. */
  pollOptions: readonly string[];
}
