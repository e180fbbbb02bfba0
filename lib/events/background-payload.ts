import "server-only";
import { z } from "zod";
import { EventChat, EXAMPLE_EVENT_CHAT } from "@/lib/events/event-chat";
import { EXAMPLE_CHAT_ID, EXAMPLE_CONTACT, EXAMPLE_TIME } from "@/lib/events/example-facts";
import { FactTime } from "@/lib/events/fact-time";
import { MediaFacts, mediaUrl } from "@/lib/events/media-facts";
import { payload, plainPayload } from "@/lib/events/payload";
import { ChatHandle } from "@/lib/recipients/handles/chat-handle";

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

const BackgroundFacts = z.object({
  ...changeShape,
  background: z.object({ ...lookShape, image: MediaFacts.optional() }).optional(),
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

/** `data` of chat.background_updated (contract.md 4.3). */
export const backgroundPayload = payload(
  BackgroundFacts,
  {
    schema: BackgroundChange,
    render: ({ background, ...facts }) => ({
      ...facts,
      ...(background && { background: toBackground(background) }),
    }),
  },
  {
    chat: EXAMPLE_EVENT_CHAT,
    actor_handle: EXAMPLE_CONTACT,
    background: { type: "dynamic", style: "sky", variant: "sunset" },
  },
);

function toBackground({ image, ...look }: NonNullable<z.output<typeof BackgroundFacts>["background"]>) {
  return { ...look, ...(image && { image_url: mediaUrl(image) }) };
}

const BackgroundFailure = z
  .object({
    chat_id: z.uuid().describe("ID of the chat."),
    error_code: z.literal([1005, 2011, 4001, 5002]).describe("Error code of the failure."),
    failed_at: FactTime.describe("When the change failed."),
  })
  .meta({ id: "ChatBackgroundUpdateFailedEvent" });

/** `data` of chat.background_update_failed (contract.md 4.3). */
export const backgroundFailedPayload = plainPayload(BackgroundFailure, {
  chat_id: EXAMPLE_CHAT_ID,
  error_code: 4001,
  failed_at: EXAMPLE_TIME,
});
