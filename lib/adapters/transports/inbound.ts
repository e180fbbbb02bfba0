import "server-only";
import type { AdapterError } from "@/lib/adapters/adapter-error";
import type { OutReaction, StickerPlacement } from "@/lib/adapters/transports/actions";
import type { PartRef } from "@/lib/adapters/transports/refs";
import type { ServiceType } from "@/lib/platform/prisma/enums";

/**
 * A receipt for an outbound message. `messageId` is Trunkline's id, and `service` the service that carried the
 * message, if the vendor reports it.
 */
interface Receipt {
  ref: string;
  messageId?: string;
  service?: ServiceType;
  at: Date;
  /** Set by a sink that has waited for the response to the send: the receipt counts without it. */
  hasWaited?: boolean;
}

/**
 * `heldSince`: when the event came, if it was set aside and an operator tries to store it again. It does not change
 * consent that changed since.
 */
interface Held {
  heldSince?: Date;
}

/**
 * A file that a person sent. `open` is called once. A file that can't be had now never fails its event: the core shows
 * it as awaited and fetches it later from `source`, or shows it as missing.
 */
export interface InMedia {
  type: "media";
  filename: string;
  /** A durable reference, such as a URL, a path or a vendor's id, from which Transport.openFile opens the file later. */
  source?: string;
  /** The size that the peer reported. */
  sizeBytes?: number;
  /** The type that the peer reported. null = detect it from the bytes. */
  mimeType: string | null;
  /** Whether it was placed as a peelable sticker. */
  sticker?: boolean;
  /** A voice memo: the only part of its message. */
  voiceMemo?: boolean;
  /** Reject the event when this file is not accepted. By default the file is omitted and the rest is stored. */
  isRequired?: boolean;
  /** Rejects, or its stream does, when the file can't be had now. The core ends a slow one and aborts the signal. */
  open(signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

/** Text that a person wrote; only iMessage reports mentions, as ranges in UTF-16 units. */
export interface InText {
  type: "text";
  value: string;
  mentions?: readonly { range: readonly [number, number]; handle: string }[];
}

/** A link that arrived as a preview card. */
interface InLink {
  type: "link";
  url: string;
}

/** A card of an iMessage app. */
export interface InAppCard {
  type: "app_card";
  app: { bundleId: string; name: string; teamId: string; appStoreId?: number };
  layout: Readonly<Record<string, string>>;
  image: InMedia | null;
  fallbackText: string | null;
  url: string;
}

/** A poll: the only part of its message. The refs are the vendor's ids of its options. */
interface InPoll {
  type: "poll";
  options: readonly { ref: string; text: string }[];
}

/** A part of an inbound message. A sticker is media, and so are a contact card (vCard) and a voice memo. */
export type InPart = InText | InMedia | InLink | InAppCard | InPoll;

/** An action of a person in a conversation, other than a message. */
export interface InChange {
  /** The vendor's id of the report, for deduplication. null where a repeat is harmless. */
  ref: string | null;
  /** The vendor's id of the group conversation. null in a direct one. */
  groupRef: string | null;
  /** The sender. null when the vendor does not report it, which happens only in groups. */
  from: string | null;
  at: Date;
}

interface InBackground {
  type: "color" | "dynamic" | "photo";
  variant?: string;
  style?: "sky" | "water" | "aurora" | "glitter";
  shades?: [string, string];
  image?: InMedia;
}

/** A person's location. The altitude is in meters. */
export interface Position {
  longitude: number;
  latitude: number;
  altitude: number | null;
  address: string | null;
  locality: string | null;
}

/**
 * A change of a shared location: sharing started, the person moved, or sharing stopped. `endsAt` null = until stopped.
 */
type LocationChange =
  | { change: "started"; endsAt: Date | null; position: Position | null }
  | { change: "moved"; position: Position }
  | { change: "stopped" };

/**
 * The events that a transport reports, by type. Strings may contain anything: the sink makes them storable. A new type is one row here and one in runtime/wiring/inbound-sink.ts.
 */
interface InEvents {
  /** The vendor has the message. Settles a send whose outcome was unknown. */
  sent: Receipt;
  delivered: Receipt;
  read: Receipt;
  failed: Receipt & { error: AdapterError };
  message: {
    ref: string;
    /** The vendor's id of the group conversation. null in a direct one. */
    groupRef: string | null;
    from: string;
    /** Group members besides the line and the sender. */
    others: readonly string[];
    service: ServiceType;
    at: Date;
    /** false = the network does not say when the message was written; `at` is when it arrived. */
    isTimeReported?: boolean;
    parts: readonly InPart[];
    effect?: { type?: string; name?: string } | null;
    /** The message it replies to, by the vendor's id. */
    replyTo?: PartRef | null;
    /** false = the transport found it later, while checking for missed messages. */
    isLive?: boolean;
  } & Held;
  /**
   * Whether the line can send. `reason` explains to the operator why it can't. `route`: the ids of the lines behind this
   * one, if the vendor is another Trunkline; null while they are unknown.
   */
  line: { up: boolean; reason?: string; route?: readonly string[] | null };
  /** The carrier or the vendor recorded that a person opted out, with the keyword if it was reported. */
  opt_out: { from: string; keyword: string | null; at: Date } & Held;
  /**
   * The transport can't store what arrived, for example a message to another number, and refused it. `reason` is a
   * sentence without personal data, which the line's page shows with a count.
   */
  refused: { reason: string };
  /**
   * Something that arrived and that this version can't read. It is set aside with its payload, so the vendor is answered
   * as for an event that was stored. `reason` is a sentence without personal data.
   */
  unreadable: { reason: string; payload: string };
  /** The vendor restricted the line or lifted the restriction. */
  line_flag: { isFlagged: boolean };
  /** A person edited a text part of their message. */
  edited: PartRef & { from: string; text: string };
  reaction: PartRef & { from: string; reaction: InReaction; isRemoved: boolean };
  typing: InChange & { isOn: boolean };
  /** A member of a group, possibly the line itself, was added, was removed, or left. */
  member: InChange & { handle: string; change: "added" | "removed" | "left" };
  group_name: InChange & { name: string | null };
  group_icon: InChange & { image: InMedia | null };
  background: InChange & { background: InBackground | null };
  /** A person added options to a poll; `ref` of an option is the vendor's id. */
  poll_options: { ref: string; from: string; options: readonly { ref: string; text: string }[] };
  /** `position`: the place of the option, for vendors that give options their own ids. */
  vote: { ref: string; from: string; option: string; position?: number; isRemoved: boolean };
  /** All options that a person has chosen, for vendors that report them together. */
  votes: { ref: string; from: string; options: readonly { ref: string; position?: number }[] };
  /** `from` may be an email address that is in no chat of the line. */
  location: { from: string; at: Date } & LocationChange;
}

/**
 * A person's reaction; `ref` = the vendor's id of a sticker. The emoji of a removal may be unknown. `unknown`: of a type
 * that Trunkline lacks, without an emoji.
 */
type InReaction =
  | { type: "unknown" }
  | Exclude<OutReaction, { type: "sticker" | "custom" }>
  | { type: "custom"; emoji: string | null }
  | {
      type: "sticker";
      ref: string;
      image: InMedia | null;
      emoji: string | null;
      placement: StickerPlacement | null;
    };

/** An event that a transport reports: of the types `On`, or of any type. */
export type InEvent<On extends keyof InEvents = keyof InEvents> = {
  [Kind in On]: { type: Kind } & InEvents[Kind] & Keyed;
}[On];

/** `key`: the vendor's id of a report that may arrive again. A report with a known key is skipped. */
interface Keyed {
  key?: string;
}

export type InboundMessage = InEvent<"message">;
export type InboundEdit = InEvent<"edited">;
export type InboundReaction = InEvent<"reaction">;
export type InboundPollOptions = InEvent<"poll_options">;
export type InboundVote = InEvent<"vote">;
export type InboundVotes = InEvent<"votes">;
export type InboundLocation = InEvent<"location">;
