import "server-only";
import type { Guidance } from "@/lib/platform/error-docs/guidance";

const OURS = "The fault is on this side. If it stays, give your operator the trace id.";

/** 3xxx to 5xxx: the service, the delivery and the files. */
export const SERVICE_GUIDANCE = {
  3001: { means: "A part of the service could not be reached.", fix: OURS, retry: "with_backoff" },
  3002: { means: "A part of the service failed at its work.", fix: OURS, retry: "with_backoff" },
  3003: { means: "A messaging service could not be reached.", fix: OURS, retry: "with_backoff" },
  3004: { means: "A messaging service failed at its work.", fix: OURS, retry: "with_backoff" },
  3005: { means: "An answer was waited for too long.", fix: OURS, retry: "with_backoff" },
  3006: {
    means: "Something went wrong that nobody had foreseen. It was logged.",
    fix: OURS,
    retry: "with_backoff",
  },
  3007: {
    means: "The message was tried as often as it may be, and was not delivered.",
    fix: "See the recipient's number and the line's health. Then send a new message.",
    retry: "new_key",
  },
  4001: {
    means: "The message could not be delivered.",
    fix: "Check that the recipient exists and can be reached over the service it was sent with.",
    retry: "new_key",
  },
  4002: {
    means: "The line's connection is down, although the line itself may look healthy.",
    fix: "Wait until it is up again, or send from another line.",
    retry: "new_key",
  },
  4003: {
    means: "A webhook could not be delivered.",
    fix: "See the attempts of the delivery under Events: they show what your server answered.",
    retry: "never",
  },
  4004: {
    means: "The messaging service is not available now.",
    fix: "Wait 30 seconds.",
    retry: "later",
  },
  4005: {
    means: "The recipient's device or service does not support this kind of message.",
    fix: "Send it as text or a link, or let preferred_service out so that another service may carry it.",
    retry: "after_change",
  },
  4006: {
    means:
      "The messaging service did not say in time whether it took the message. It may have been delivered, so it is never sent again by itself.",
    fix: "Wait for message.sent or message.delivered, which may still come. If neither does, send a new message.",
    retry: "new_key",
  },
  4007: {
    means: "The messaging service reported that it could not send the message.",
    fix: "See the reason beside the code. Send again if the recipient can be reached.",
    retry: "new_key",
  },
  4008: {
    means:
      "The sender may not send this message, such as a card with a picture before the recipient ever wrote.",
    fix: "Wait for the recipient to write, or leave the picture out.",
    retry: "after_change",
  },
  4009: {
    means: "The line has no RCS account.",
    fix: "Send from a line that has one, or over another service.",
    retry: "after_change",
  },
  4010: {
    means: "Whether the recipient has RCS could not be found out now.",
    fix: "Wait 30 seconds.",
    retry: "later",
  },
  5001: { means: "The file could not be stored.", fix: OURS, retry: "with_backoff" },
  5002: {
    means: "The file could not be read from the service's own storage.",
    fix: OURS,
    retry: "with_backoff",
  },
  5003: { means: "No address could be made for the file.", fix: OURS, retry: "with_backoff" },
  5004: {
    means: "Files of this type cannot be sent.",
    fix: "Convert the file to one of the types that POST /v3/attachments lists.",
    retry: "after_change",
  },
  5005: {
    means: "The file is larger than a message can carry.",
    fix: "Make it smaller, or upload it somewhere and send a link.",
    retry: "after_change",
  },
  5006: {
    means: "The file is not what its content type says.",
    fix: "Send the type the bytes really have.",
    retry: "after_change",
  },
  5007: {
    means: "The picture could not be fetched from the address given.",
    fix: "Check that the address is public, speaks https and answers 200 with a picture.",
    retry: "after_change",
  },
} as const satisfies Record<number, Guidance>;
