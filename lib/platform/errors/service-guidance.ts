import "server-only";
import type { Guidance } from "@/lib/platform/errors/guidance";

const CONTACT_OPERATOR =
  "The error is on the server. Retry the request. If the error persists, send the trace ID to your operator.";

/** Guidance for 3xxx to 5xxx errors: the service, delivery and files. */
export const SERVICE_GUIDANCE = {
  3001: {
    means: "The service could not connect to one of its servers.",
    fix: CONTACT_OPERATOR,
    retry: "with_backoff",
  },
  3002: {
    means: "An internal operation failed.",
    fix: CONTACT_OPERATOR,
    retry: "with_backoff",
  },
  3003: {
    means: "The service could not connect to a messaging service.",
    fix: CONTACT_OPERATOR,
    retry: "with_backoff",
  },
  3004: {
    means: "A messaging service failed to process the request.",
    fix: CONTACT_OPERATOR,
    retry: "with_backoff",
  },
  3005: {
    means: "A server or an external service did not respond in time.",
    fix: CONTACT_OPERATOR,
    retry: "with_backoff",
  },
  3006: {
    means: "An unexpected error occurred. Trunkline logged it with the trace ID.",
    fix: CONTACT_OPERATOR,
    retry: "with_backoff",
  },
  3007: {
    means: "The message was not delivered within the maximum number of attempts.",
    fix: "Check the recipient's number and the line's health. Then send a new message.",
    retry: "new_key",
  },
  4001: {
    means: "The message could not be delivered.",
    fix: "Check that the recipient's number or email address exists and supports the service of the message.",
    retry: "new_key",
  },
  4002: {
    means: "The line's connection is down. The status of the line does not show connection failures.",
    fix: "Wait until the connection is restored, or send from another line.",
    retry: "new_key",
  },
  4003: {
    means: "A webhook could not be delivered.",
    fix: "Open the delivery under Events. Each attempt shows your server's response.",
    retry: "never",
  },
  4004: {
    means: "The service is temporarily unavailable.",
    fix: "Wait 30 seconds, then retry.",
    retry: "later",
  },
  4005: {
    means: "The recipient's device or service does not support this type of message.",
    fix: "Send text or a link instead, or omit preferred_service so that another service can be used.",
    retry: "after_change",
  },
  4006: {
    means:
      "The messaging service did not confirm in time whether it accepted the message. The message may have been delivered, so Trunkline never resends it automatically.",
    fix: "Wait for message.sent or message.delivered, which can still arrive. If neither arrives, send a new message.",
    retry: "new_key",
  },
  4007: {
    means: "The messaging service reported that it could not send the message.",
    fix: "Read the reason next to the code. If the recipient can receive messages, send a new one.",
    retry: "new_key",
  },
  4008: {
    means:
      "The sender is not allowed to send this message, for example, a card with an image before the recipient has written in the chat.",
    fix: "Wait for the recipient to write, or remove the image.",
    retry: "after_change",
  },
  4009: {
    means: "The line has no RCS account.",
    fix: "Send from a line with an RCS account, or use another service.",
    retry: "after_change",
  },
  4010: {
    means: "Trunkline could not check whether the recipient supports RCS.",
    fix: "Wait 30 seconds, then retry.",
    retry: "later",
  },
  5001: {
    means: "The file could not be stored.",
    fix: CONTACT_OPERATOR,
    retry: "with_backoff",
  },
  5002: {
    means: "The file could not be read from storage.",
    fix: CONTACT_OPERATOR,
    retry: "with_backoff",
  },
  5003: {
    means: "A URL for the file could not be generated.",
    fix: CONTACT_OPERATOR,
    retry: "with_backoff",
  },
  5004: {
    means: "Files of this type can't be sent.",
    fix: "Convert the file to one of the types that POST /v3/attachments lists.",
    retry: "after_change",
  },
  5005: {
    means: "The file exceeds the size limit of a message.",
    fix: "Reduce the file size, or host the file elsewhere and send a link.",
    retry: "after_change",
  },
  5006: {
    means: "The file's content does not match its declared content type.",
    fix: "Declare the actual content type of the file.",
    retry: "after_change",
  },
  5007: {
    means: "The image could not be downloaded from the URL.",
    fix: "Check that the URL is public, uses https and returns 200 with an image.",
    retry: "after_change",
  },
} as const satisfies Record<number, Guidance>;
