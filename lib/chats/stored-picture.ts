import "server-only";
import { z } from "zod";
import { MediaFacts } from "@/lib/events/media-facts";

/** A picture a chat keeps: its group icon, or the photo of a background that is being set. */
export const StoredPicture = MediaFacts.extend({ mime_type: z.string(), size_bytes: z.int() });

export type StoredPicture = z.infer<typeof StoredPicture>;
