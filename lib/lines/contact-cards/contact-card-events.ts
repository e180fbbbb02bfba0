import "server-only";
import { z } from "zod";
import { changePayload, shownAccountPayload } from "@/lib/events/catalog/account-payload";
import { defineEvents } from "@/lib/events/catalog/define-events";
import { EventMedia, mediaUrlOrNull } from "@/lib/events/catalog/event-media";
import { EXAMPLE_IMAGE } from "@/lib/events/catalog/example-data";

const nameShape = {
  id: z.uuid().describe("ID of the contact card."),
  first_name: z.string().describe("First name, or the name of the business."),
  last_name: z.string().nullable().describe("Last name; `null` without one."),
};

const CardData = z.object({
  phone_number: z.string(),
  contact_card: z.object({ ...nameShape, image: EventMedia.nullable() }),
});

const ShownCard = z.object({
  phone_number: z.string().describe("The line of the card, in E.164 format."),
  contact_card: z
    .object({ ...nameShape, image_url: z.url().nullable().describe("URL of the image; `null` without one.") })
    .describe("The contact card."),
});

const nameChanges = {
  first_name: changePayload(z.string().nullable())
    .optional()
    .describe("Change of the first name. Absent when unchanged."),
  last_name: changePayload(z.string().nullable())
    .optional()
    .describe("Change of the last name. Absent when unchanged."),
};

const ChangeData = CardData.extend({
  change: z.object({ ...nameChanges, image: changePayload(EventMedia.nullable()).optional() }),
});

const ShownChange = ShownCard.extend({
  change: z
    .object({
      ...nameChanges,
      image_url: changePayload(z.url().nullable())
        .optional()
        .describe("Change of the image. Absent when unchanged."),
    })
    .describe("Old and new values of the changed fields."),
});

const EXAMPLE: z.input<typeof CardData> = {
  phone_number: "+12025550100",
  contact_card: {
    id: "019ca9c0-4000-710e-86dd-094a5b6c7d8e",
    first_name: "Harbor Kitchen",
    last_name: null,
    image: EXAMPLE_IMAGE,
  },
};

/**
 * `data` of contact_card.created and deleted; `done` completes "The contact card of … was"
 * (docs/contract.md, section 12.6).
 */
function cardPayload(done: string) {
  return shownAccountPayload({
    objects: CardData,
    sentence: ({ phone_number }, by) => `The contact card of ${phone_number} was ${done} ${by}.`,
    example: EXAMPLE,
    shown: ShownCard,
    show: showCard,
  });
}

/** `data` of contact_card.updated: `change` contains the fields that changed. */
const cardUpdatedPayload = shownAccountPayload({
  objects: ChangeData,
  sentence: ({ phone_number }, by) => `The contact card of ${phone_number} was changed ${by}.`,
  example: { ...EXAMPLE, change: { first_name: { from: "Harbor", to: "Harbor Kitchen" } } },
  shown: ShownChange,
  show({ change: { image, ...names }, ...card }) {
    const urls = image && { from: mediaUrlOrNull(image.from), to: mediaUrlOrNull(image.to) };
    return { ...showCard(card), change: { ...names, ...(urls && { image_url: urls }) } };
  },
});

function showCard({ phone_number, contact_card }: z.output<typeof CardData>): z.input<typeof ShownCard> {
  const { image, ...names } = contact_card;
  return { phone_number, contact_card: { ...names, image_url: mediaUrlOrNull(image) } };
}

export const CONTACT_CARD_EVENTS = defineEvents({
  "contact_card.created": cardPayload("created"),
  "contact_card.updated": cardUpdatedPayload,
  "contact_card.deleted": cardPayload("deleted"),
});
