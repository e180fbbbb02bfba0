import "server-only";
import { z } from "zod";
import { defineEvents } from "@/lib/events/catalog/define-events";
import { EventTime } from "@/lib/events/catalog/event-time";
import { EXAMPLE_CHAT_ID, EXAMPLE_TIME } from "@/lib/events/catalog/example-data";
import { plainPayload } from "@/lib/events/catalog/payload";
import { EXAMPLE_CONTACT, EXAMPLE_LINE } from "@/lib/recipients/handles/example-handles";

const shareShape = {
  shared_by: z
    .string()
    .describe("Phone number of the contact, or an email address when the share started in the locator app."),
  shared_with: z.string().describe("Your line, in E.164 format."),
  began_at: EventTime.describe("When the share started."),
  chat_id: z
    .uuid()
    .nullable()
    .describe("ID of the chat where the share was first seen; `null` when unknown."),
};

const EXAMPLE = {
  shared_by: EXAMPLE_CONTACT.handle,
  shared_with: EXAMPLE_LINE.handle,
  began_at: EXAMPLE_TIME,
  chat_id: EXAMPLE_CHAT_ID,
};

/** `data` of location.sharing.started; `ends_at` null = until the contact stops (docs/contract.md, section 12.5). */
const locationStartedPayload = plainPayload(
  z
    .object({
      ...shareShape,
      ends_at: EventTime.nullable().describe("When the share ends; `null` for a share without an end."),
    })
    .meta({ id: "LocationSharingStartedEvent" }),
  { ...EXAMPLE, ends_at: "2026-03-01T13:00:00.000Z" },
);

/** `data` of location.sharing.stopped (docs/contract.md, section 12.5). */
const locationStoppedPayload = plainPayload(
  z
    .object({ ...shareShape, ended_at: EventTime.describe("When the share ended.") })
    .meta({ id: "LocationSharingStoppedEvent" }),
  { ...EXAMPLE, ended_at: "2026-03-01T12:40:00.000Z" },
);

export const LOCATION_EVENTS = defineEvents({
  "location.sharing.started": locationStartedPayload,
  "location.sharing.stopped": locationStoppedPayload,
});
