import "server-only";
import type { OutMedia } from "@/lib/adapters/transports/outbound";
import type { LineRef, PartRef } from "@/lib/adapters/transports/refs";
import type { ServiceType } from "@/lib/platform/prisma/enums";

/**
 * The placement of a sticker: its center from -1 to 1 on both axes, its scale, and its rotation in degrees clockwise.
 */
export interface StickerPlacement {
  x: number;
  y: number;
  scale: number;
  rotation: number;
}

export type OutReaction =
  | { type: "love" | "like" | "dislike" | "laugh" | "emphasize" | "question" }
  | { type: "custom"; emoji: string }
  | { type: "sticker"; image: OutMedia | null; emoji: string | null; placement: StickerPlacement };

interface ChatBackground {
  type: "color" | "dynamic" | "photo";
  variant?: string;
  style?: string;
  shades?: readonly [string, string];
  image?: OutMedia;
}

/** An action in a conversation other than sending a message. */
export type Action =
  | { type: "typing"; isOn: boolean }
  | { type: "read" }
  | { type: "leave" }
  | { type: "add_participant" | "remove_participant"; handle: string }
  | { type: "set_name"; name: string | null }
  | { type: "set_icon"; image: OutMedia }
  | { type: "set_background"; background: ChatBackground | null }
  | { type: "share_contact_card" }
  | ({ type: "react"; reactionId: string; reaction: OutReaction; isRemoved: boolean } & PartRef)
  | { type: "move_sticker"; ref: string; reactionId: string; placement: StickerPlacement }
  | ({ type: "edit"; text: string } & PartRef)
  /** `refs`: every message of the vendor that the message consists of. A single one can have all `parts`. */
  | { type: "unsend"; refs: readonly string[]; parts: number }
  | { type: "request_location" }
  | { type: "stop_location"; handle: string }
  | { type: "add_poll_options"; ref: string; options: readonly { id: string; text: string }[] }
  /** `position`: the place of the option among the options, for vendors that give options their own ids. */
  | { type: "vote"; ref: string; optionId: string; position: number; isRemoved: boolean };

/** The target of an action: a conversation of the line. */
export interface ActionTarget {
  line: LineRef;
  /** The conversation's service. null before the first message. */
  service: ServiceType | null;
  to: readonly string[];
  /** As in Outbound. */
  group: { chatId: string; ref: string | null } | null;
}

export interface OutAction {
  /** Trunkline's id. The adapter derives its idempotency token from it, so a repeat is the same action. */
  id: string;
  target: ActionTarget;
  action: Action;
}
