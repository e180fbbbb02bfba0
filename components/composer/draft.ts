import type { Mark } from "@/components/composer/text-marks";

export type Transport = "iMessage" | "RCS" | "SMS";

export interface Effect {
  type: "bubble" | "screen";
  name: string;
}

/** The message a draft answers, as its quote shows it. */
export interface RepliedPart {
  messageId: string;
  partIndex: number;
  writer: string;
  quote: string;
}

/** A file that is uploaded and waits to be sent. */
export interface UploadedFile {
  attachmentId: string;
  name: string;
  contentType: string;
  sizeBytes: number;
}

/** What is being written in a chat. */
export interface Draft {
  text: string;
  marks: Mark[];
  effect: Effect | null;
  /** null = the best the recipient has. */
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

/** Where a message is written. */
export interface WritingPlace {
  chatId: string;
  lineType: "iMessage" | "RCS";
  /** What the chat goes over; null while nothing was sent in it. */
  service: Transport | null;
  isGroup: boolean;
  /** Who else is in it. */
  members: string[];
}
