import type { Mark } from "@/components/composer/text/text-marks";

export type Transport = "iMessage" | "RCS" | "SMS";

export interface Effect {
  type: "bubble" | "screen";
  name: string;
}

/** The message that a draft replies to, as its quote shows it. */
export interface RepliedPart {
  messageId: string;
  partIndex: number;
  writer: string;
  quote: string;
}

/** An uploaded file that is not sent yet. */
export interface UploadedFile {
  attachmentId: string;
  name: string;
  contentType: string;
  sizeBytes: number;
}

/** An unsent message in a chat. */
export interface Draft {
  text: string;
  marks: Mark[];
  effect: Effect | null;
  /** null = the best transport that the recipient supports. */
  transport: Transport | null;
  reply: RepliedPart | null;
  files: UploadedFile[];
}

export const EMPTY_DRAFT: Draft = {
  text: "",
  marks: [],
  effect: null,
  transport: null,
  reply: null,
  files: [],
};

/** The chat that a message is written in. */
export interface ComposerChat {
  chatId: string;
  lineType: "iMessage" | "RCS";
  /** The service of the chat; null before the first message is sent. */
  service: Transport | null;
  isGroup: boolean;
  /** The handles of the other members. */
  members: string[];
  /** The number that sends. */
  line: string | null;
}
