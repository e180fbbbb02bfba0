import "server-only";
import { z } from "zod";
import { EXAMPLE_CONTACT, EXAMPLE_IMAGE, EXAMPLE_LINE } from "@/lib/events/example-facts";
import { MediaFacts, mediaUrlOrNull } from "@/lib/events/media-facts";
import { payload } from "@/lib/events/payload";

const cardShape = {
  first_name: z.string(),
  /** May be empty. */
  last_name: z.string(),
  /** Our own line. */
  owner_handle: z.string(),
  sender_handle: z.string(),
};

/** `data` of contact_card.received (contract.md 4.3). */
export const receivedCardPayload = payload(
  z.object({ ...cardShape, image: MediaFacts.nullable() }),
  {
    schema: z
      .object({ ...cardShape, media_url: z.url().nullable() })
      .meta({ id: "ContactCardReceivedEvent" }),
    render: ({ image, ...card }) => ({ ...card, media_url: mediaUrlOrNull(image) }),
  },
  {
    first_name: "Ada",
    last_name: "",
    owner_handle: EXAMPLE_LINE.handle,
    sender_handle: EXAMPLE_CONTACT.handle,
    image: EXAMPLE_IMAGE,
  },
);
