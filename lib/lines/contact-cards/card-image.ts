import "server-only";
import { z } from "zod";
import { insertAttachments } from "@/lib/attachments/insert-attachments";
import type { ImageSize } from "@/lib/attachments/measurements/image-size";
import { rehostImage } from "@/lib/attachments/media/rehost-image";
import { removeAttachment } from "@/lib/attachments/remove-attachment";
import { discardFiles } from "@/lib/attachments/store/store-file";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";
import { maxUnits } from "@/lib/platform/text/max-units";
import { now } from "@/lib/platform/time/clock";

const SIDE_LEAST = 200;
const MAX_URL = 2048;

/** The URL from which a card's image is downloaded once. */
export const ImageUrl = z
  .url({ protocol: /^https?$/ })
  .check(maxUnits(MAX_URL))
  .describe("URL of a square image of at least 200 by 200 pixels.");

/**
 * Downloads the image of a card and stores it as an attachment that does not expire. Returns the attachment's id.
 * Errors: parameter_invalid (not square, smaller than 200 by 200), and as `rehostImage`.
 */
export async function storeCardImage(ctx: Context, lineId: string, url: string): Promise<string> {
  const accountId = ctx.account.id;
  const file = await rehostImage(accountId, new URL(url), checkSize);
  const attachments = {
    accountId,
    lineId,
    source: "image" as const,
    status: "complete" as const,
    at: now(),
    files: [file],
  };
  try {
    await insertAttachments(sql, attachments);
  } catch (error) {
    await discardFiles(accountId, [file]);
    throw error;
  }
  return file.id;
}

/** Deletes an image that no card uses. */
export async function deleteCardImage(ctx: Context, attachmentId: string | null): Promise<void> {
  if (attachmentId !== null) await removeAttachment({ accountId: ctx.account.id, attachmentId });
}

function checkSize({ width, height }: ImageSize): void {
  if (width === height && width >= SIDE_LEAST) return;
  fail(
    "parameter_invalid",
    `image_url: the image of a contact card must be square and at least ${SIDE_LEAST} by ${SIDE_LEAST} pixels, not ${width} by ${height}`,
  );
}
