import "server-only";
import { z } from "zod";
import { defineEvents, defineInternalEvent } from "@/lib/events/catalog/define-events";
import { payload, versionedPayload } from "@/lib/events/catalog/payload";
import { EXAMPLE_INBOUND, EXAMPLE_OUTBOUND } from "@/lib/messaging/messages/example-message";
import { FLAT_FORMATS } from "@/lib/messaging/messages/flat-message";
import { MessageEventData, type Stage } from "@/lib/messaging/messages/message-event-data";
import { NESTED_FORMATS } from "@/lib/messaging/messages/nested-message";

/**
 * `data` of message.sent, received, delivered and read, the only events whose format depends on the version
 * (docs/contract.md, section 12.3).
 */
function messagePayload(stage: Stage) {
  return versionedPayload(
    MessageEventData,
    {
      "2025-01-01": NESTED_FORMATS[stage],
      "2026-02-03": FLAT_FORMATS[stage],
    },
    stage === "received" ? EXAMPLE_INBOUND : EXAMPLE_OUTBOUND,
  );
}

const Failure = z.object({ code: z.int(), reason: z.string(), failed_at: z.string() });

const FailedMessage = z
  .object({
    code: z.int().describe("Error code of the failure."),
    failed_at: z.iso.datetime().describe("When the message failed."),
    message_id: z.uuid().describe("ID of the message."),
    chat_id: z.uuid().describe("ID of the chat."),
    reason: z.string().describe("Reason that the message failed."),
    id: z.uuid().describe("ID of the message, the same as `message_id`."),
    chat: z
      .object({ id: z.uuid().describe("ID of the chat, the same as `chat_id`.") })
      .describe("The chat of the message."),
    error: z
      .object({
        code: z.int().describe("Error code of the failure."),
        message: z.string().describe("Reason that the message failed."),
      })
      .describe("The failure, with the same values as `code` and `reason`."),
  })
  .meta({ id: "MessageFailedEvent" });

/** `data` of message.failed. */
const messageFailedPayload = payload(
  MessageEventData.extend({ failure: Failure }),
  {
    schema: FailedMessage,
    render: ({ message, chat, failure }) => ({
      code: failure.code,
      failed_at: new Date(failure.failed_at).toISOString(),
      message_id: message.id,
      chat_id: chat.id,
      reason: failure.reason,
      id: message.id,
      chat: { id: chat.id },
      error: { code: failure.code, message: failure.reason },
    }),
  },
  {
    ...EXAMPLE_OUTBOUND,
    failure: {
      code: 4001,
      reason: "The recipient could not be reached",
      failed_at: "2026-03-01T12:00:04.000Z",
    },
  },
);

export const MESSAGE_EVENTS = defineEvents({
  "message.sent": messagePayload("sent"),
  "message.received": messagePayload("received"),
  "message.read": messagePayload("read"),
  "message.delivered": messagePayload("delivered"),
  "message.failed": messageFailedPayload,
});

/** Emitted when a late file of an inbound message arrived, or will not come: pages are updated. */
export const MESSAGE_FILE_SETTLED = defineInternalEvent("message.file_settled", z.object({}));

/** Emitted when a message waits because its line is down. */
export const MESSAGE_QUEUED = defineInternalEvent("message.queued", z.object({}));
