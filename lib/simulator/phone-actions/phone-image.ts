import "server-only";
import { z } from "zod";
import type { InMedia } from "@/lib/adapters/transports/inbound";
import { openMedia } from "@/lib/attachments/media/download-media";
import { openOwnFile } from "@/lib/attachments/media/open-own-file";
import type { Context } from "@/lib/platform/context";
import { maxUnits } from "@/lib/platform/text/max-units";

const DOWNLOAD_MS = 30_000;

/** An image on a simulated phone: a file of the account, or a download from a URL. */
export const PhoneImage = z
  .object({
    attachment_id: z
      .uuid()
      .optional()
      .describe("ID of an uploaded attachment of the account. Set either this or `url`."),
    url: z
      .url({ protocol: /^https?$/ })
      .check(maxUnits(2048))
      .optional()
      .describe("URL of the image. Set either this or `attachment_id`."),
  })
  .refine(({ attachment_id, url }) => (attachment_id === undefined) !== (url === undefined), {
    message: "set exactly one of attachment_id and url",
  });

/** Converts the image to the network's form. Errors: as `openMedia` and `openOwnFile`. */
export async function toInImage(
  ctx: Context,
  { attachment_id, url }: z.infer<typeof PhoneImage>,
): Promise<InMedia> {
  const file =
    attachment_id === undefined
      ? await openMedia(new URL(url ?? ""), AbortSignal.timeout(DOWNLOAD_MS))
      : await openOwnFile(ctx.account.id, attachment_id);
  return {
    type: "media",
    filename: file.filename,
    mimeType: file.contentType,
    isRequired: true,
    open: async () => file.body,
  };
}
