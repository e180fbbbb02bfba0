import "server-only";
import { detectType } from "@/lib/attachments/file-types/detect-type";
import { MAX_PIXELS } from "@/lib/attachments/file-types/file-limits";
import { insertAttachments, type NewFile } from "@/lib/attachments/insert-attachments";
import { imageSize } from "@/lib/attachments/measurements/image-size";
import { storeFile } from "@/lib/attachments/store/store-file";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

const MAX_LOGO_BYTES = 2 * 1024 * 1024;
const SIDE_LEAST = 128;
const MAX_SIDE = 512;
const TYPES: readonly (string | null)[] = ["image/jpeg", "image/png", "image/webp"];

/**
 * Stores a logo as a file of the account, encoded again as a PNG of at most 512 by 512 pixels, so that only the pixels
 * of the upload are kept. `insertLogo` inserts its row. Errors: file_too_large (2 MB), content_type_mismatch (not a
 * JPEG, PNG or WebP), parameter_invalid (smaller than 128 by 128 pixels).
 */
export async function storeLogo(accountId: string, base64: string): Promise<NewFile> {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > MAX_LOGO_BYTES) fail("file_too_large", "logo: must be at most 2 MB");
  await checkLogo(bytes);
  return storeFile({
    accountId,
    filename: "checkout-logo.png",
    contentType: "image/png",
    mostBytes: MAX_LOGO_BYTES,
    body: once(await drawLogo(bytes)),
  });
}

/** Inserts the row of a stored logo, which does not expire, in the transaction that starts using it. */
export async function insertLogo(tx: Sql, ctx: Context, file: NewFile): Promise<void> {
  const shown = { lineId: null, source: "image" as const, status: "complete" as const };
  await insertAttachments(tx, { ...shown, accountId: ctx.account.id, at: ctx.now, files: [file] });
}

async function checkLogo(bytes: Buffer): Promise<void> {
  const read = async (start: number, length: number) => bytes.subarray(start, start + length);
  const type = await detectType({ sizeBytes: bytes.length, read });
  const size = type !== null && TYPES.includes(type) ? await imageSize(bytes, type) : null;
  if (size === null) return refuse();
  if (Math.min(size.width, size.height) < SIDE_LEAST) {
    const has = `${size.width} by ${size.height}`;
    fail("parameter_invalid", `logo: must be at least ${SIDE_LEAST} by ${SIDE_LEAST} pixels, not ${has}`);
  }
}

async function drawLogo(bytes: Buffer): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  const box = { width: MAX_SIDE, height: MAX_SIDE, fit: "inside", withoutEnlargement: true } as const;
  return sharp(bytes, { limitInputPixels: MAX_PIXELS }).rotate().resize(box).png().toBuffer().catch(refuse);
}

function refuse(): never {
  return fail("content_type_mismatch", "logo: select a JPEG, PNG or WebP image");
}

async function* once(bytes: Buffer): AsyncIterable<Uint8Array> {
  yield bytes;
}
