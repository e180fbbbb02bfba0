import "server-only";
import type { z } from "zod";
import { EXAMPLE_CHAT_ID, EXAMPLE_MESSAGE_ID, EXAMPLE_TIME } from "@/lib/events/catalog/example-data";
import type { MessageEventData } from "@/lib/messaging/messages/message-event-data";
import { EXAMPLE_CONTACT, EXAMPLE_LINE } from "@/lib/recipients/handles/example-handles";

/** A message that was sent, delivered and read. Each event shows the part that had happened by then. */
export const EXAMPLE_OUTBOUND: z.input<typeof MessageEventData> = {
  message: {
    id: EXAMPLE_MESSAGE_ID,
    is_from_me: true,
    parts: [{ type: "text", value: "Your table is ready.", text_decorations: null }],
    effect: null,
    reply_to: null,
    idempotency_key: "order-1042-ready",
    preferred_service: null,
    service: "iMessage",
    created_at: EXAMPLE_TIME,
    updated_at: "2026-03-01T12:00:09.000Z",
    sent_at: "2026-03-01T12:00:01.000Z",
    delivered_at: "2026-03-01T12:00:02.000Z",
    read_at: "2026-03-01T12:00:09.000Z",
    reconciled_at: null,
  },
  chat: { id: EXAMPLE_CHAT_ID, is_group: false, health_status: "HEALTHY", health_updated_at: EXAMPLE_TIME },
  owner_handle: EXAMPLE_LINE,
  sender_handle: EXAMPLE_LINE,
};

export const EXAMPLE_INBOUND: z.input<typeof MessageEventData> = {
  ...EXAMPLE_OUTBOUND,
  message: {
    ...EXAMPLE_OUTBOUND.message,
    id: "019ca9c2-7310-7e75-8b44-6fa051829304",
    is_from_me: false,
    parts: [{ type: "text", value: "On my way!", text_decorations: null }],
    idempotency_key: null,
    sent_at: EXAMPLE_TIME,
    delivered_at: null,
    read_at: null,
  },
  sender_handle: EXAMPLE_CONTACT,
};
