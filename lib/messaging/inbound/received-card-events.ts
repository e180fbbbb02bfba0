import "server-only";
import { z } from "zod";
import { downloadUrl } from "@/lib/attachments/attachment-url";
import { defineEvents } from "@/lib/events/catalog/define-events";
import { EventMedia } from "@/lib/events/catalog/event-media";
import { EXAMPLE_IMAGE } from "@/lib/events/catalog/example-data";
import { payload } from "@/lib/events/catalog/payload";
import { type EventOrigin, type NewEvent, newEvent } from "@/lib/events/store/emit-event";
import type { StoredPart } from "@/lib/messaging/content/message-part";
import type { ContactCard } from "@/lib/messaging/content/read-contact-card";
import { EXAMPLE_CONTACT, EXAMPLE_LINE } from "@/lib/recipients/handles/example-handles";

const cardShape = {
  first_name: z.string().describe("First name on the card."),
  last_name: z.string().describe("Last name on the card; may be empty."),
  owner_handle: z.string().describe("Your line, in E.164 format."),
  sender_handle: z.string().describe("Phone number or email address of the contact who shared the card."),
};

/** The file of the card. The URL of an ephemeral file must be signed. */
const CardFile = EventMedia.extend({ ephemeral: z.boolean() });

function cardUrl({ partner_id, attachment_id, filename, ephemeral }: z.infer<typeof CardFile>): string {
  return downloadUrl({
    partnerId: partner_id,
    attachmentId: attachment_id,
    filename,
    isEphemeral: ephemeral,
  });
}

/** `data` of contact_card.received (docs/contract.md, section 12.5). */
const receivedCardPayload = payload(
  z.object({ ...cardShape, image: CardFile.nullable() }),
  {
    schema: z
      .object({
        ...cardShape,
        media_url: z.url().nullable().describe("URL of the card file (vCard); `null` without a file."),
      })
      .meta({ id: "ContactCardReceivedEvent" }),
    render: ({ image, ...card }) => ({ ...card, media_url: image === null ? null : cardUrl(image) }),
  },
  {
    first_name: "Ada",
    last_name: "",
    owner_handle: EXAMPLE_LINE.handle,
    sender_handle: EXAMPLE_CONTACT.handle,
    image: { ...EXAMPLE_IMAGE, filename: "ada.vcf", ephemeral: false },
  },
);

export const RECEIVED_CARD_EVENTS = defineEvents({
  "contact_card.received": receivedCardPayload,
});

/** The chat of a card, who sent it and to which line, and the parts of its message. */
interface ReceivedCard {
  owner: string;
  sender: string;
  parts: readonly StoredPart[];
  card: ContactCard;
}

/** Creates contact_card.received for a card among the parts of a message. */
export function cardReceived(origin: EventOrigin, { owner, sender, parts, card }: ReceivedCard): NewEvent {
  return newEvent(RECEIVED_CARD_EVENTS["contact_card.received"], origin, {
    first_name: card.first_name,
    last_name: card.last_name,
    owner_handle: owner,
    sender_handle: sender,
    image: cardFile(parts, card.attachmentId),
  });
}

function cardFile(parts: readonly StoredPart[], attachmentId: string) {
  for (const part of parts) {
    if (part.type !== "media" || part.attachment_id !== attachmentId) continue;
    const { partner_id, filename, ephemeral } = part;
    return { partner_id, attachment_id: attachmentId, filename, ephemeral };
  }
  return null;
}
