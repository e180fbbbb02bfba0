import "server-only";
import { z } from "zod";
import { defineEvents } from "@/lib/events/catalog/define-events";
import { EventMedia, mediaUrl } from "@/lib/events/catalog/event-media";
import { EventTime } from "@/lib/events/catalog/event-time";
import { EXAMPLE_CHAT_ID, EXAMPLE_TIME } from "@/lib/events/catalog/example-data";
import { payload, plainPayload } from "@/lib/events/catalog/payload";
import { EventChat, EXAMPLE_EVENT_CHAT } from "@/lib/messaging/chats/event-chat";
import { ChatHandle } from "@/lib/recipients/handles/chat-handle";
import { EXAMPLE_CONTACT } from "@/lib/recipients/handles/example-handles";

const Shade = z.string().regex(/^#[0-9A-Fa-f]{6}$/);

const lookShape = {
  type: z.enum(["color", "dynamic", "photo"]).describe("Type of the background."),
  variant: z.string().optional().describe("Variant of the background: a color, or the variant of a scene."),
  style: z
    .enum(["sky", "water", "aurora", "glitter"])
    .optional()
    .describe("Scene of a `dynamic` background."),
  shades: z.tuple([Shade, Shade]).optional().describe("Top and bottom color of a custom `color` background."),
};

const changeShape = {
  chat: EventChat.describe("The chat."),
  actor_handle: ChatHandle.optional().describe(
    "Participant who changed the background. Absent when unknown.",
  ),
};

const BackgroundData = z.object({
  ...changeShape,
  background: z.object({ ...lookShape, image: EventMedia.optional() }).optional(),
});

const BackgroundChange = z
  .object({
    ...changeShape,
    background: z
      .object({
        ...lookShape,
        image_url: z.url().optional().describe("URL of the photo of a `photo` background."),
      })
      .optional()
      .describe("The new background. Absent when the background was removed."),
  })
  .meta({ id: "ChatBackgroundUpdatedEvent" });

/** `data` of chat.background_updated (docs/contract.md, section 12.5). */
const backgroundPayload = payload(
  BackgroundData,
  {
    schema: BackgroundChange,
    render: ({ background, ...data }) => ({
      ...data,
      ...(background && { background: toBackground(background) }),
    }),
  },
  {
    chat: EXAMPLE_EVENT_CHAT,
    actor_handle: EXAMPLE_CONTACT,
    background: { type: "dynamic", style: "sky", variant: "sunset" },
  },
);

function toBackground({ image, ...look }: NonNullable<z.output<typeof BackgroundData>["background"]>) {
  return { ...look, ...(image && { image_url: mediaUrl(image) }) };
}

const BackgroundFailure = z
  .object({
    chat_id: z.uuid().describe("ID of the chat."),
    error_code: z.literal([1005, 2011, 4001, 5002]).describe("Error code of the failure."),
    failed_at: EventTime.describe("When the change failed."),
  })
  .meta({ id: "ChatBackgroundUpdateFailedEvent" });

/** `data` of chat.background_update_failed (docs/contract.md, section 12.5). */
const backgroundFailedPayload = plainPayload(BackgroundFailure, {
  chat_id: EXAMPLE_CHAT_ID,
  error_code: 4001,
  failed_at: EXAMPLE_TIME,
});

export const BACKGROUND_EVENTS = defineEvents({
  "chat.background_updated": backgroundPayload,
  "chat.background_update_failed": backgroundFailedPayload,
});
