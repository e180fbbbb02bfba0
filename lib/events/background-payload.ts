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
  type: z.enum(["color", "dynamic", "photo"]),
  variant: z.string().optional(),
  /** Only of `dynamic`. */
  style: z.enum(["sky", "water", "aurora", "glitter"]).optional(),
  /** Only of `color`: top and bottom. */
  shades: z.tuple([Shade, Shade]).optional(),
};

const changeShape = {
  chat: EventChat,
  /** Absent when it is not known who set it. */
  actor_handle: ChatHandle.optional(),
};

const BackgroundFacts = z.object({
  ...changeShape,
  background: z.object({ ...lookShape, image: MediaFacts.optional() }).optional(),
});

const BackgroundChange = z
  .object({
    ...changeShape,
    /** Absent = it was removed. */
    background: z.object({ ...lookShape, image_url: z.url().optional() }).optional(),
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
  .object({ chat_id: z.uuid(), error_code: z.literal([1005, 2011, 4001, 5002]), failed_at: FactTime })
  .meta({ id: "ChatBackgroundUpdateFailedEvent" });

/** `data` of chat.background_update_failed (contract.md 4.3). */
export const backgroundFailedPayload = plainPayload(BackgroundFailure, {
  chat_id: EXAMPLE_CHAT_ID,
  error_code: 4001,
  failed_at: EXAMPLE_TIME,
});
