import "server-only";
import { z } from "zod";
import { cdnUrl } from "@/lib/platform/env";

/** A reference to a file in event data. Events store no URL, because it could expire before the last retry. */
export const EventMedia = z.object({
  partner_id: z.uuid(),
  attachment_id: z.uuid(),
  filename: z.string(),
});

/** The current URL of a file (docs/contract.md, section 10.3). */
export function mediaUrl({ partner_id, attachment_id, filename }: z.infer<typeof EventMedia>): string {
  return `${cdnUrl()}/attachments/partners/${partner_id}/${attachment_id}/${encodeURIComponent(filename)}`;
}

/** Like `mediaUrl`, for an optional file. */
export function mediaUrlOrNull(media: z.infer<typeof EventMedia> | null): string | null {
  return media === null ? null : mediaUrl(media);
}
