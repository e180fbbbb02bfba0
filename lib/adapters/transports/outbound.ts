import "server-only";
import type { LineRef, PartRef } from "@/lib/adapters/transports/refs";
import type { ServiceType } from "@/lib/platform/prisma/enums";

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
  /** Shown as the app's own view where the app is installed. */
  interactive: boolean;
  url: string;
  /** The vendor's id of the message whose card this one replaces. */
  replaces: string | null;
}

/** A file to deliver, already converted where the specification requires it. */
export interface OutMedia {
  type: "media";
  attachmentId: string;
  filename: string;
  mimeType: string;
  sizeBytes: number;
  /** Sent as a peelable sticker; only when the transport has `sticker`. */
  sticker: boolean;
  /** Played in its bubble where the service supports it, else sent as a file. */
  voiceMemo?: boolean;
  /** Returns the bytes, anew for each call. Rejects when the file was deleted. */
  open(): Promise<AsyncIterable<Uint8Array>>;
  /** A signed URL for vendors that download the file, valid for at least 15 minutes. Present on files of messages. */
  url?(): string | null;
}

/** A poll: the only part of its message. Sent only when the transport has `poll`. Votes name the options' ids. */
interface OutPoll {
  type: "poll";
  options: readonly { id: string; text: string }[];
}

export type OutPart = OutText | OutMedia | OutLink | OutAppClip | OutAppCard | OutPoll;

export interface Outbound {
  /** Trunkline's message id. The adapter derives its idempotency token from it, so a repeat is the same message. */
  id: string;
  line: LineRef;
  service: ServiceType;
  to: readonly string[];
  /** null in a direct chat. `chatId` is Trunkline's id, `ref` the vendor's id of the conversation once it is known. */
  group: { chatId: string; ref: string | null } | null;
  parts: readonly OutPart[];
  effect: { type: "screen" | "bubble"; name: string } | null;
  /** The message it replies to. Set only when the transport has `reply`. */
  replyTo: PartRef | null;
}

/** The vendor's acceptance of a message. */
export interface Accepted {
  /** One vendor id for each sent unit. Receipts name these ids. */
  refs: readonly string[];
  /** The vendor's id of the group conversation. */
  groupRef: string | null;
  service: ServiceType;
  /** True = the recipient has the message already: the acceptance is its delivery receipt too. Direct chats only. */
  isDelivered?: boolean;
}

/**
 * The outcome of an earlier send without a response. `absent`: the message was certainly not sent. `repeatable`: the
 * vendor could not be asked, but recognizes a repeat by its idempotency key, so sending again can't send it twice.
 */
export type SendOutcome =
  | { state: "accepted"; accepted: Accepted }
  | { state: "absent" }
  | { state: "repeatable" }
  | { state: "unknown" };

/** The contact card that a line shows its recipients. */
export interface OutContactCard {
  firstName: string;
  lastName: string | null;
  image: OutMedia | null;
}
