import { Flag, FlagOff } from "lucide-react";

/** How the dashboard calls each change of a line's status, by the new status. */
export const FLAG_WORDS = {
  FLAGGED: {
    action: "Flag line",
    question: "Flag this line?",
    means:
      "Until you clear the flag, sends and changes on this line fail with error 2027, except changes to its forwarding number. Inbound messages still arrive.",
    done: "Line flagged",
    icon: Flag,
  },
  ACTIVE: {
    action: "Clear flag",
    question: "Clear this flag?",
    means:
      "You can send messages from this line again. For 24 hours, a bad reputation doesn't flag the line automatically.",
    done: "Flag cleared",
    icon: FlagOff,
  },
} as const;
