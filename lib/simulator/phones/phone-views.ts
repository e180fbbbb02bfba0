import "server-only";
import { z } from "zod";
import { MessageView } from "@/lib/messaging/messages/message-view";
import { Phone } from "@/lib/simulator/phone";

/** A message as a phone shows it. */
export const PhoneMessage = MessageView.pick({
  parts: true,
  effect: true,
  reply_to: true,
  kind: true,
  poll: true,
  duration_ms: true,
  sticker_parts: true,
  experience: true,
}).extend({
  /** The simulated network's id. */
  id: z.string(),
  /** null when nothing was stored in Trunkline, as for a message from a blocked phone. Then it takes no reactions. */
  message_id: z.uuid().nullable(),
  from: z.string(),
  is_mine: z.boolean(),
  service: z.string(),
  is_edited: z.boolean(),
  /** Whether its sender unsent it. The phone then shows neither parts nor a poll. */
  is_unsent: z.boolean(),
  /** Whether the phone's user may still unsend it. */
  may_unsend: z.boolean(),
  created_at: z.iso.datetime(),
  /** null for a received message that the phone has not read. */
  read_at: z.iso.datetime().nullable(),
});

/** A member of a conversation. `name` is the name on a simulated phone, or null. */
const Member = z.object({ handle: z.string(), name: z.string().nullable(), is_line: z.boolean() });

/** A conversation on a phone. */
export const PhoneChat = z.object({
  /** Identifies the conversation on the phone. */
  key: z.string(),
  /** null until Trunkline has a chat for the conversation. */
  chat_id: z.uuid().nullable(),
  line: z.string(),
  /** The name of the line's contact card. */
  line_name: z.string().nullable(),
  is_group: z.boolean(),
  name: z.string().nullable(),
  /** The URL of the group's icon. */
  icon_url: z.string().nullable(),
  members: z.array(Member),
  /** Whether the phone is still a member, and the line too. */
  is_open: z.boolean(),
  /** Messages that the phone has not read. */
  unread: z.int(),
  /** Whether the line is typing. */
  is_typing: z.boolean(),
  /** When the line last marked the conversation as read. */
  line_read_at: z.iso.datetime().nullable(),
  /** The location that the phone shares with the line; null when it shares none. */
  location: z
    .object({
      latitude: z.number().nullable(),
      longitude: z.number().nullable(),
      address: z.string().nullable(),
      locality: z.string().nullable(),
      /** null for a share without an end. */
      ends_at: z.iso.datetime().nullable(),
    })
    .nullable(),
  /** The latest messages, oldest first. */
  messages: z.array(PhoneMessage),
});

/** A phone's screen: its conversations, latest first. */
export const PhoneScreen = z.object({ handle: z.string(), chats: z.array(PhoneChat) });

export const PhoneViews = z.object({
  phones: z.array(Phone),
  lines: z.array(z.object({ phone_number: z.string(), line_type: z.string(), name: z.string().nullable() })),
  screens: z.array(PhoneScreen),
});

export type PhoneMessage = z.infer<typeof PhoneMessage>;
export type PhoneChat = z.infer<typeof PhoneChat>;
export type PhoneScreen = z.infer<typeof PhoneScreen>;
export type PhoneViews = z.infer<typeof PhoneViews>;
