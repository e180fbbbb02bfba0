import "server-only";
import type { z } from "zod";
import type { EventMedia } from "@/lib/events/catalog/event-media";

export const EXAMPLE_TIME = "2026-03-01T12:00:00.000Z";

export const EXAMPLE_PARTNER_ID = "019ca9c0-0000-7000-8000-5a1f0c9e2b34";

export const EXAMPLE_CHAT_ID = "019ca9c2-4c02-7c53-ad22-4d8e3f607182";

export const EXAMPLE_MESSAGE_ID = "019ca9c2-4c03-7d64-bc33-5e9f40718293";

export const EXAMPLE_IMAGE: z.input<typeof EventMedia> = {
  partner_id: EXAMPLE_PARTNER_ID,
  attachment_id: "019ca9c2-4c04-7e75-8d44-70b1c2d3e4f5",
  filename: "image.png",
};
