import "server-only";
import type { AdapterError } from "@/lib/adapters/adapter-error";
import type { Sql } from "@/lib/platform/db";
import type { ServiceType } from "@/lib/platform/prisma/enums";

/** A line as its transport knows it. */
export interface LineRef {
  accountId: string;
  id: string;
  phoneNumber: string;
  /** iMessage or RCS: the best service the line itself can send. */
  lineType: ServiceType;
}

/** What a transport may not be able to show or do; the core drops or refuses what is missing. */
export type Cap =
  | "decorations"
  | "effect"
  | "group"
  | "group_members"
  | "group_leave"
  | "group_name"
  | "group_icon"
  | "media"
  | "sticker"
  | "inline_sticker"
  | "link_card"
  | "app_card"
  | "app_clip"
  | "mention"
  | "reply"
  | "reaction"
  | "edit"
  | "typing"
  | "read"
  | "background"
  | "contact_share"
  | "location"
  | "poll";

/** Whether a handle can be reached over a service. */
export type Reach = "yes" | "no" | "unknown";

interface OutText {
  type: "text";
  value: string;
  /** Ranges in UTF-16 units; only when the transport has `decorations`. */
  decorations: readonly { range: readonly [number, number]; style?: string; animation?: string }[];
  /** Only when the transport has `mention`. */
  mentions: readonly { range: readonly [number, number]; handle: string }[];
  /** Each hides the characters of its range; only when the transport has `inline_sticker`. */
  stickers: readonly { range: readonly [number, number]; image: OutMedia }[];
}

/** A URL shown as a preview card; only when the transport has `link_card`, else it is a text. */
interface OutLink {
  type: "link";
  url: string;
}

/** A card of an app clip; only when the transport has `app_clip`. */
interface OutAppClip {
  type: "app_clip";
  url: string;
}

/** A card of an iMessage app; only when the transport has `app_card`. */
interface OutAppCard {
  type: "app_card";
  app: { bundleId: string; name: string; teamId: string; appStoreId: number | null };
  layout: Readonly<Record<string, string | undefined>>;
  image: OutMedia | null;
  fallbackText: string | null;
  /** As the app's own view, where it is installed. */
  interactive: boolean;
  url: string;
  /** The vendor's id of the message whose card this one takes the place of. */
  replaces: string | null;
}

/** A file as it is delivered: converted already, where the specification says so. */
export interface OutMedia {
  type: "media";
  attachmentId: string;
  filename: string;
  mimeType: string;
  sizeBytes: number;
  /** As a peelable sticker; only when the transport has `sticker`. */
  sticker: boolean;
  /** Played in its bubble, where the service has such; else a file. */
  voiceMemo?: boolean;
  /** The bytes, once for each call. Rejects when the file was deleted. */
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/** A poll, in a message by itself; only when the transport has `poll`. Votes come back by the options' ids. */
interface OutPoll {
  type: "poll";
  options: readonly { id: string; text: string }[];
}

export type OutPart = OutText | OutMedia | OutLink | OutAppClip | OutAppCard | OutPoll;

/** One message to be sent. */
export interface Outbound {
  /** Our message id: the adapter makes its own idempotency token of it, so a repeat is the same message. */
  id: string;
  line: LineRef;
  service: ServiceType;
  to: readonly string[];
  /** null in a direct chat; `chatId` is ours, `ref` the vendor's id of the conversation, once it is known. */
  group: { chatId: string; ref: string | null } | null;
  parts: readonly OutPart[];
  effect: { type: "screen" | "bubble"; name: string } | null;
  /** What it answers; only when the transport has `reply`. */
  replyTo: PartRef | null;
}

/** That the vendor took a message. */
export interface Accepted {
  /** One vendor id for each emitted unit; receipts come back by them. */
  refs: readonly string[];
  /** The vendor's id of the group conversation. */
  groupRef: string | null;
  service: ServiceType;
}

/** How a line shows itself to those it writes to. */
export interface OutContactCard {
  firstName: string;
  lastName: string | null;
  image: OutMedia | null;
}

/** How a sticker lies on what it was put on: its middle from -1 to 1 each way, its size, degrees clockwise. */
export interface StickerPlacement {
  x: number;
  y: number;
  scale: number;
  rotation: number;
}

/** A message of the conversation as the vendor knows it, or a part of it. */
interface PartRef {
  ref: string;
  part: number;
}

/** What a reaction is made of. */
export type OutReaction =
  | { type: "love" | "like" | "dislike" | "laugh" | "emphasize" | "question" }
  | { type: "custom"; emoji: string }
  | { type: "sticker"; image: OutMedia | null; emoji: string | null; placement: StickerPlacement };

/** What a conversation's background is. */
interface ChatBackground {
  type: "color" | "dynamic" | "photo";
  variant?: string;
  style?: string;
  shades?: readonly [string, string];
  image?: OutMedia;
}

/** Something done in a conversation other than sending a message. */
export type Action =
  | { do: "typing"; isOn: boolean }
  | { do: "read" }
  | { do: "leave" }
  | { do: "add_participant" | "remove_participant"; handle: string }
  | { do: "set_name"; name: string | null }
  | { do: "set_icon"; image: OutMedia }
  | { do: "set_background"; background: ChatBackground | null }
  | { do: "share_contact_card" }
  | ({ do: "react"; reactionId: string; reaction: OutReaction; isRemoved: boolean } & PartRef)
  | { do: "move_sticker"; reactionId: string; placement: StickerPlacement }
  | ({ do: "edit"; text: string } & PartRef)
  | { do: "request_location" }
  | { do: "stop_location"; handle: string }
  | { do: "add_poll_options"; ref: string; options: readonly { id: string; text: string }[] }
  | { do: "vote"; ref: string; optionId: string; isRemoved: boolean };

/** Where an action is done: a conversation of the line. */
export interface ActionPlace {
  line: LineRef;
  /** What the conversation goes over; null while nothing was sent in it. */
  service: ServiceType | null;
  to: readonly string[];
  /** As in an Outbound. */
  group: { chatId: string; ref: string | null } | null;
}

/** One action to be done. */
export interface OutAction {
  /** Ours: the adapter makes its own idempotency token of it, so a repeat is the same action. */
  id: string;
  place: ActionPlace;
  action: Action;
}

/** What became of an earlier send that was never answered. `absent`: it is certain that nothing was sent. */
export type SendOutcome =
  | { state: "accepted"; accepted: Accepted }
  | { state: "absent" }
  | { state: "unknown" };

/** A receipt for a message of ours. `messageId` = our id, `service` = what it went over, where the vendor tells. */
interface Receipt {
  ref: string;
  messageId?: string;
  service?: ServiceType;
  at: Date;
}

/** A file somebody sent; `open` is called once, before the message is stored. */
export interface InMedia {
  type: "media";
  filename: string;
  /** As the peer called it; null = what the bytes are. */
  mimeType: string | null;
  /** Put on as a peelable sticker. */
  sticker?: boolean;
  /** Spoken into the conversation: a message by itself. */
  voiceMemo?: boolean;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/** Text somebody wrote; only iMessage tells whom it mentions, by ranges in UTF-16 units. */
export interface InText {
  type: "text";
  value: string;
  mentions?: readonly { range: readonly [number, number]; handle: string }[];
}

/** A link that came as a preview card. */
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

/** A poll, in a message by itself; the refs are the vendor's ids of its options. */
interface InPoll {
  type: "poll";
  options: readonly { ref: string; text: string }[];
}

/** A part of what somebody wrote. A sticker is media, and so are a contact card (vCard) and a voice memo. */
export type InPart = InText | InMedia | InLink | InAppCard | InPoll;

/** Something somebody did in a conversation besides writing. */
export interface InChange {
  /** The vendor's id of the report, by which a repeat is known; null where a repeat does no harm. */
  ref: string | null;
  /** The vendor's id of the group conversation; null in a direct one. */
  groupRef: string | null;
  /** Who did it; null where the vendor does not tell, in groups only. */
  from: string | null;
  at: Date;
}

/** How a conversation looks from now on. */
interface InBackground {
  type: "color" | "dynamic" | "photo";
  variant?: string;
  style?: "sky" | "water" | "aurora" | "glitter";
  shades?: [string, string];
  image?: InMedia;
}

/** Where somebody is; altitude in metres. */
export interface Position {
  longitude: number;
  latitude: number;
  altitude: number | null;
  address: string | null;
  locality: string | null;
}

/** Somebody's share of a location: it began, they moved, or it ended. `endsAt` null = when it is stopped. */
type LocationChange =
  | { change: "started"; endsAt: Date | null; position: Position | null }
  | { change: "moved"; position: Position }
  | { change: "stopped" };

/** What a transport reports, by its kind. A new kind is one row here and one in messages/receive-event.ts. */
interface InEvents {
  delivered: Receipt;
  read: Receipt;
  failed: Receipt & { error: AdapterError };
  message: {
    ref: string;
    /** The vendor's id of the group conversation; null in a direct one. */
    groupRef: string | null;
    from: string;
    /** Group members besides the line and the sender. */
    others: readonly string[];
    service: ServiceType;
    at: Date;
    parts: readonly InPart[];
    effect?: { type?: string; name?: string } | null;
    /** What it answers, by the vendor's id. */
    replyTo?: PartRef | null;
    /** False = found later, when the transport looked for what it had missed. */
    isLive?: boolean;
  };
  line: { up: boolean };
  /** The vendor has restricted the line, or frees it again. */
  standing: { isFlagged: boolean };
  /** Somebody edited a text part of what they wrote. */
  edited: PartRef & { from: string; text: string };
  reaction: PartRef & { from: string; reaction: InReaction; isRemoved: boolean };
  typing: InChange & { isOn: boolean };
  /** Somebody, maybe our line, was added to a group, was removed, or left. */
  member: InChange & { handle: string; change: "added" | "removed" | "left" };
  group_name: InChange & { name: string | null };
  group_icon: InChange & { image: InMedia | null };
  background: InChange & { background: InBackground | null };
  /** Somebody added options to a poll; their refs are the vendor's ids of them. */
  poll_options: { ref: string; from: string; options: readonly { ref: string; text: string }[] };
  vote: { ref: string; from: string; option: string; isRemoved: boolean };
  /** `from` may be an e-mail address that is in no chat of the line. */
  location: { from: string; at: Date } & LocationChange;
}

/** How somebody reacted; `ref` = the vendor's id of a sticker. */
type InReaction =
  | Exclude<OutReaction, { type: "sticker" }>
  | {
      type: "sticker";
      ref: string;
      image: InMedia | null;
      emoji: string | null;
      placement: StickerPlacement | null;
    };

/** What a transport reports: of the kinds `On`, or anything. */
export type InEvent<On extends keyof InEvents = keyof InEvents> = {
  [Kind in On]: { on: Kind } & InEvents[Kind];
}[On];

export type InboundMessage = InEvent<"message">;
export type InboundEdit = InEvent<"edited">;
export type InboundReaction = InEvent<"reaction">;
export type InboundPollOptions = InEvent<"poll_options">;
export type InboundVote = InEvent<"vote">;
export type InboundLocation = InEvent<"location">;

/**
 * The only way in. Resolves once the event is durably stored, so that an adapter acknowledges to its peer only then;
 * when it rejects, the event is to be delivered again. Duplicates and any order are fine.
 */
export type Sink = (line: LineRef, event: InEvent) => Promise<void>;

export interface Running {
  /** Takes nothing new and waits for what is in hand. */
  stop(): Promise<void>;
}

/** A way to send and receive for lines. Every one passes `conformance.ts`. */
export interface Transport {
  /** Carries no message to a real person: production accounts have no line on it. */
  sandboxOnly?: boolean;
  readonly name: string;
  caps(service: ServiceType): ReadonlySet<Cap>;
  /** How long what `probe` said may be relied on; 0 = ask each time. */
  readonly reachHoldsSeconds: number;
  /** Rejects with an AdapterError when nobody could be asked; with `no_account` when the line lacks the service. */
  probe(line: LineRef, handle: string, service: ServiceType): Promise<Reach>;
  /** Rejects with an AdapterError; with `unknown_outcome` when the signal ends it after the request may have left. */
  send(message: Outbound, signal: AbortSignal): Promise<Accepted>;
  /** Asked when an earlier send of the message timed out, or its process died: did it go out? */
  outcome(line: LineRef, messageId: string): Promise<SendOutcome>;
  /** Puts the card on the line, in place of any other; null takes it away. Absent where lines show none. */
  setContactCard?(line: LineRef, card: OutContactCard | null, signal: AbortSignal): Promise<void>;
  /** Does it, or rejects with an AdapterError; asked again after `unknown_outcome`. Only what `caps` has is asked for. */
  act(action: OutAction, signal: AbortSignal): Promise<void>;
  /** Whether the vendor is still at making a group it has no id for yet. Absent where that takes no time. */
  isCreating?(line: LineRef, chatId: string): Promise<boolean>;
  /**
   * Erases what the transport itself keeps in this database of what these messages said, and of all content from
   * before, known to us or not. Absent where it keeps none.
   */
  forget?(
    tx: Sql,
    content: { accountId: string; messageIds: readonly string[]; before: Date },
  ): Promise<void>;
  /** Begins to receive in this process, for all lines of the transport. */
  start?(sink: Sink): Running;
}
