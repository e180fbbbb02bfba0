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
  | (StepPlace & {
      type: "reacts";
      messageId: string;
      reaction: string;
      emoji: string | null;
      isRemoved: boolean;
    })
  | (StepPlace & { type: "edits"; messageId: string; text: string })
  | (StepPlace & { type: "reads" })
  | (StepPlace & { type: "leaves" })
  | (StepPlace & { type: "renames"; name: string })
  | { type: "connects"; phone: string; connection: "online" | "airplane_mode" | "battery_dead" }
  /** Something that a test file can't repeat, in a few words. */
  | { type: "skipped"; phone: string; what: string };

/** A phone that takes part in a recording. */
export interface RecordedPhone {
  handle: string;
  name: string;
  platform: "iphone" | "android_rcs" | "sms_only";
}
