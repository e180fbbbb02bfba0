/** The conversation of a step. Lines and phones are named by their handles. */
interface StepPlace {
  phone: string;
  line: string;
  /** null before Trunkline has a chat. */
  chatId: string | null;
  /** The other phones of a group; empty in a direct conversation. */
  others: readonly string[];
}

/** An action of a phone's user, or the arrival of a line's message on a phone. */
export type RecordedStep =
  | (StepPlace & {
      type: "says";
      text: string;
      effect: string | null;
      messageId: string | null;
      isNewGroup: boolean;
    })
  | (StepPlace & { type: "receives"; text: string; messageId: string })
  /** An image from the phone. The test file sends a sample image with the same name. */
  | (StepPlace & {
      type: "sendsImage";
      filename: string;
      isSticker: boolean;
      messageId: string | null;
      isNewGroup: boolean;
    })
  /** A voice memo from the phone. The test file sends a moment of silence. */
  | (StepPlace & { type: "sendsVoiceMemo"; messageId: string | null; isNewGroup: boolean })
  | (StepPlace & {
      type: "sendsPoll";
      options: readonly string[];
      messageId: string | null;
      isNewGroup: boolean;
    })
  | (StepPlace & { type: "receivesPoll"; options: readonly string[]; messageId: string })
  /** `option` = the place of the option in the poll, from 0. */
  | (StepPlace & { type: "votes"; messageId: string; option: number; isRemoved: boolean })
  | (StepPlace & { type: "addsOption"; messageId: string; text: string })
  | (StepPlace & {
      type: "reacts";
      messageId: string;
      reaction: string;
      emoji: string | null;
      isRemoved: boolean;
    })
  | (StepPlace & { type: "edits"; messageId: string; text: string })
  | (StepPlace & { type: "unsends"; messageId: string })
  | (StepPlace & { type: "reads" })
  | (StepPlace & { type: "leaves" })
  | (StepPlace & { type: "renames"; name: string })
  | (StepPlace & { type: "addsMember" | "removesMember"; member: string })
  /** `endsInSeconds` = null for a share without an end. */
  | (StepPlace & {
      type: "sharesLocation";
      position: { latitude: number; longitude: number };
      endsInSeconds: number | null;
    })
  | (StepPlace & { type: "movesLocation"; position: { latitude: number; longitude: number } })
  | (StepPlace & { type: "stopsSharing" })
  | { type: "connects"; phone: string; connection: "online" | "airplane_mode" | "battery_dead" }
  /** Something that a test file can't repeat, in a few words. */
  | { type: "skipped"; phone: string; what: string };

/** A phone that takes part in a recording. */
export interface RecordedPhone {
  handle: string;
  name: string;
  platform: "iphone" | "android_rcs" | "sms_only";
}
