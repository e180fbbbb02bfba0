import "server-only";
import type { z } from "zod";
import type { ChatFacts } from "@/lib/events/chat-facts";
import type { MediaFacts } from "@/lib/events/media-facts";
import type { MomentFacts } from "@/lib/events/message-moment";
import type { ChatHandle } from "@/lib/recipients/handles/chat-handle";

export const EXAMPLE_TIME = "2026-03-01T12:00:00.000Z";

export const EXAMPLE_PARTNER_ID = "019ca9c0-0000-7000-8000-5a1f0c9e2b34";

export const EXAMPLE_LINE: ChatHandle = {
  id: "019ca9c2-4c00-7a31-8f00-2b6c1d4e5f60",
  handle: "+12025550100",
  joined_at: EXAMPLE_TIME,
  service: "iMessage",
  is_me: true,
  left_at: null,
  status: "active",
  line_type: "iMessage",
};

export const EXAMPLE_CONTACT: ChatHandle = {
  ...EXAMPLE_LINE,
  id: "019ca9c2-4c01-7b42-9e11-3c7d2e5f6071",
  handle: "+12025550123",
  is_me: false,
};

export const EXAMPLE_CHAT_ID = "019ca9c2-4c02-7c53-ad22-4d8e3f607182";

/** A sent, delivered and read message; each event shows as much of it as had happened by then. */
export const EXAMPLE_OUTBOUND: z.input<typeof MomentFacts> = {
  message: {
    id: "019ca9c2-4c03-7d64-bc33-5e9f40718293",
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

export const EXAMPLE_INBOUND: z.input<typeof MomentFacts> = {
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

export const EXAMPLE_CHAT: z.input<typeof ChatFacts> = {
  id: EXAMPLE_CHAT_ID,
  display_name: EXAMPLE_CONTACT.handle,
  service: "iMessage",
  handles: [EXAMPLE_LINE, EXAMPLE_CONTACT],
  is_group: false,
  health_status: "HEALTHY",
  health_updated_at: EXAMPLE_TIME,
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
};

export const EXAMPLE_MESSAGE_ID = EXAMPLE_OUTBOUND.message.id;

export const EXAMPLE_IMAGE: z.input<typeof MediaFacts> = {
  partner_id: EXAMPLE_PARTNER_ID,
  attachment_id: "019ca9c2-4c04-7e75-8d44-70b1c2d3e4f5",
  filename: "picture.png",
};
