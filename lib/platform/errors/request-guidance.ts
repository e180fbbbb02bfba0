import "server-only";
import type { Guidance } from "@/lib/platform/errors/guidance";

/** Guidance for 1xxx errors: the request is invalid. */
export const REQUEST_GUIDANCE = {
  1001: {
    means: "The request lacks a required field.",
    fix: "Add the field that the message names. Check the nesting: the parts of a message belong in message.parts.",
    retry: "after_change",
  },
  1002: {
    means:
      "A phone number is not in E.164 format, or a handle is neither a phone number nor an email address.",
    fix: "Write numbers with a leading +, the country code and no spaces, dashes or parentheses: +14155550123. In a query string, encode the + as %2B.",
    retry: "after_change",
  },
  1003: {
    means:
      "The body can't be read: it isn't valid JSON, is too large or contains a null character. With status 404, the path does not exist. With status 405, the path does not support this method. With status 408, the body did not arrive in time.",
    fix: "Check the URL against the API reference, send Content-Type: application/json, and keep the body below 1 MB (4 MB for operations that send a message). A 405 response lists the supported methods in its Allow header.",
    retry: "after_change",
  },
  1004: {
    means: "The message content breaks a rule, for example two adjacent text parts.",
    fix: "Read the path in the message. It names the part that is wrong.",
    retry: "after_change",
  },
  1005: {
    means:
      "A parameter has an invalid value: an ID that is not a UUID, a limit out of range, or a cursor from a different list. With status 404, the name in the path is unknown.",
    fix: "Correct the parameter that the message names. Pass cursors back exactly as you received them.",
    retry: "after_change",
  },
  1006: {
    means: "Only group chats have a name and an icon. This chat has one recipient.",
    fix: "Get the chat first and skip the update unless is_group is true.",
    retry: "never",
  },
  1007: {
    means:
      "The request exceeds a rate limit, for example 30 messages per minute to one recipient or the daily limit of a sandbox.",
    fix: "Wait the number of seconds in retry_after. The official clients wait automatically when it is one minute or less.",
    retry: "later",
  },
  1008: {
    means: "The iMessage app message is incomplete.",
    fix: "Set app.name, and set app.team_id to the developer's Apple team ID: 10 uppercase letters and digits.",
    retry: "after_change",
  },
  1009: {
    means: "The value of an app_clip part is neither a Trunkline checkout link nor a registered app clip.",
    fix: "Send other URLs as a link part.",
    retry: "after_change",
  },
} as const satisfies Record<number, Guidance>;
