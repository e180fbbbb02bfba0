import "server-only";
import type { Guidance } from "@/lib/platform/error-docs/guidance";

/** 1xxx: the request itself is wrong. */
export const REQUEST_GUIDANCE = {
  1001: {
    means: "A field the operation needs is not in the body.",
    fix: "Add the field that the message names. Mind the nesting: the parts of a message belong into message.parts.",
    retry: "after_change",
  },
  1002: {
    means: "A phone number is not in E.164, or a handle is neither a phone number nor an e-mail address.",
    fix: "Write numbers with a leading +, the country code and no spaces, dashes or brackets: +14155550123. In a query string the + must be encoded as %2B.",
    retry: "after_change",
  },
  1003: {
    means:
      "The body cannot be read: it is no JSON, too large, or holds a null character. With status 404 the path does not exist, with 405 it does not take this method.",
    fix: "Check the address against the API reference, send Content-Type: application/json and a body below 1 MB, 4 MB where a message is sent. A 405 lists the methods that work in its Allow header.",
    retry: "after_change",
  },
  1004: {
    means: "The content of the message breaks a rule, such as two text parts side by side.",
    fix: "Read the path in the message: it points at the part that is wrong.",
    retry: "after_change",
  },
  1005: {
    means:
      "A parameter has a value it cannot have: an id that is no UUID, a limit out of range, a cursor of another list. With status 404 the name in the path is unknown.",
    fix: "Correct the parameter that the message names. Pass cursors on just as they were answered.",
    retry: "after_change",
  },
  1006: {
    means: "Only groups have a name and an icon; this chat has one recipient.",
    fix: "Ask for the chat first and skip the update unless is_group is true.",
    retry: "never",
  },
  1007: {
    means: "Too many requests for now: 30 messages a minute to one recipient, or the daily cap of a sandbox.",
    fix: "Wait for the seconds in retry_after. The official clients do so by themselves when it is a minute or less.",
    retry: "later",
  },
  1008: {
    means: "The iMessage app message is incomplete.",
    fix: "Set app.name, and app.team_id to the ten capital letters and digits of the developer team.",
    retry: "after_change",
  },
  1009: {
    means:
      "The value of an app_clip part is neither a checkout link of this service nor a registered app clip.",
    fix: "Send other addresses as a link part.",
    retry: "after_change",
  },
} as const satisfies Record<number, Guidance>;
