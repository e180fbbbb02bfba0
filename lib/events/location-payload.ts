import "server-only";
import { z } from "zod";
import { EXAMPLE_CHAT_ID, EXAMPLE_CONTACT, EXAMPLE_LINE, EXAMPLE_TIME } from "@/lib/events/example-facts";
import { FactTime } from "@/lib/events/fact-time";
import { plainPayload } from "@/lib/events/payload";

const shareShape = {
  /** The contact: a phone number, or an e-mail when the share began in the locator app. */
  shared_by: z.string(),
  /** Our own line. */
  shared_with: z.string(),
  began_at: FactTime,
  /** Where the share was first seen; null when that is not known. */
  chat_id: z.uuid().nullable(),
};

const EXAMPLE = {
  shared_by: EXAMPLE_CONTACT.handle,
  shared_with: EXAMPLE_LINE.handle,
  began_at: EXAMPLE_TIME,
  chat_id: EXAMPLE_CHAT_ID,
};

/** `data` of location.sharing.started; `ends_at` null = until it is stopped (contract.md 4.3). */
export const locationStartedPayload = plainPayload(
  z.object({ ...shareShape, ends_at: FactTime.nullable() }).meta({ id: "LocationSharingStartedEvent" }),
  { ...EXAMPLE, ends_at: "2026-03-01T13:00:00.000Z" },
);

/** `data` of location.sharing.stopped (contract.md 4.3). */
export const locationStoppedPayload = plainPayload(
  z.object({ ...shareShape, ended_at: FactTime }).meta({ id: "LocationSharingStoppedEvent" }),
  { ...EXAMPLE, ended_at: "2026-03-01T12:40:00.000Z" },
);
