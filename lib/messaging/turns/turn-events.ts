import "server-only";
import { z } from "zod";
import { defineEvents } from "@/lib/events/catalog/define-events";
import { EventTime } from "@/lib/events/catalog/event-time";
import { EXAMPLE_CHAT_ID, EXAMPLE_TIME } from "@/lib/events/catalog/example-data";
import { type PayloadFormat, versionedPayload } from "@/lib/events/catalog/payload";
import { EXAMPLE_INBOUND } from "@/lib/messaging/messages/example-message";
import { FLAT_FORMATS } from "@/lib/messaging/messages/flat-message";
import { MessageEventData } from "@/lib/messaging/messages/message-event-data";
import { NESTED_FORMATS } from "@/lib/messaging/messages/nested-message";
import { ChatHandle } from "@/lib/recipients/handles/chat-handle";
import { EXAMPLE_CONTACT } from "@/lib/recipients/handles/example-handles";

export const TurnReason = z.enum(["quiet", "max_wait", "max_size", "answered"]);

export type TurnReason = z.infer<typeof TurnReason>;

const TurnData = z.object({
  id: z.uuid(),
  /** The subscription that the turn belongs to; null in an example, which all get. */
  subscription_id: z.uuid().nullable(),
  chat_id: z.uuid(),
  from_handle: ChatHandle,
  messages: z.array(MessageEventData),
  /** Whether a message mentions the line, which its text no longer says once it is erased. */
  mentions_me: z.boolean(),
  started_at: EventTime,
  closed_at: EventTime,
  reason: TurnReason,
  withdrawn: z.array(z.uuid()),
});

function turnShape<Message extends z.ZodType>(message: Message) {
  return z.object({
    id: z.uuid().describe("ID of the turn."),
    chat_id: z.uuid().describe("ID of the chat."),
    from_handle: ChatHandle.describe("Participant who wrote the messages."),
    messages: z
      .array(message)
      .describe(
        "The messages in order, each as in `message.received`: with its files, its mentions and its own `reply_to`, and with its edits.",
      ),
    mentions_me: z.boolean().describe("`true` if a message mentions your line."),
    started_at: z.iso.datetime().describe("When the first message was received."),
    closed_at: z.iso.datetime().describe("When the turn closed."),
    reason: TurnReason.describe(
      "Why the turn closed: `quiet` if the person stopped writing, `max_wait` after its longest wait, `max_size` with 20 messages, `answered` if you wrote in the chat.",
    ),
    withdrawn: z
      .array(z.uuid())
      .describe("IDs of messages that were deleted or unsent before the turn closed. `messages` lacks them."),
  });
}

function turnFormat<Message extends z.ZodType>(
  name: string,
  { schema, render }: PayloadFormat<MessageEventData, Message>,
) {
  return {
    schema: turnShape(schema).meta({ id: name }),
    render: ({ subscription_id, messages, ...turn }: z.output<typeof TurnData>) => ({
      ...turn,
      messages: messages.map(render),
    }),
  };
}

/** `data` of chat.turn, an extension (docs/contract.md, section 12.5). */
const turnPayload = versionedPayload(
  TurnData,
  {
    "2025-01-01": turnFormat("ChatTurnEvent20250101", NESTED_FORMATS.received),
    "2026-02-03": turnFormat("ChatTurnEvent", FLAT_FORMATS.received),
  },
  {
    id: "019ca9c2-9c40-7f86-9a55-70b162930415",
    subscription_id: null,
    chat_id: EXAMPLE_CHAT_ID,
    from_handle: EXAMPLE_CONTACT,
    messages: [
      EXAMPLE_INBOUND,
      {
        ...EXAMPLE_INBOUND,
        message: {
          ...EXAMPLE_INBOUND.message,
          id: "019ca9c2-7af0-7b21-9d02-81c3f4a5b6d7",
          parts: [{ type: "text", value: "There in ten minutes.", text_decorations: null }],
          created_at: "2026-03-01T12:00:02.000Z",
          updated_at: "2026-03-01T12:00:02.000Z",
          sent_at: "2026-03-01T12:00:02.000Z",
        },
      },
    ],
    mentions_me: false,
    started_at: EXAMPLE_TIME,
    closed_at: "2026-03-01T12:00:04.000Z",
    reason: "quiet",
    withdrawn: [],
  },
);

export const TURN_EVENTS = defineEvents({ "chat.turn": turnPayload });
