import "server-only";
import { MAX_PIXELS } from "@/lib/attachments/file-types/file-limits";
import { openOwnFile } from "@/lib/attachments/media/open-own-file";
import { toVcardText } from "@/lib/lines/contact-cards/vcard";
import { isVcardUrl } from "@/lib/lines/contact-cards/vcard-url";
import { prisma } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";
import { log } from "@/lib/platform/telemetry/log";

const MAX_BACKUPS = 20;
const PHOTO_SIDE = 512;

/** A request for the vCard of a line. */
interface VcardRequest {
  accountId: string;
  lineId: string;
  query: URLSearchParams;
}

/**
 * Returns a line's contact card as a vCard: the line's number first, then the account's other healthy lines. A line
 * without a card shows the partner's name. Errors: access_denied (invalid signature or expired URL), line_not_found.
 */
export async function getVcard({ accountId, lineId, query }: VcardRequest): Promise<string> {
  if (!isVcardUrl({ accountId, lineId }, query)) {
    fail("access_denied", "the URL has expired or was modified: get a new URL with GET /v3/available_number");
  }
  const line = await prisma().line.findUnique({
    where: { accountId_id: { accountId, id: lineId }, releasedAt: null },
    include: { contactCard: true, account: { include: { partner: true } } },
  });
  if (line === null) fail("line_not_found");

  const card = line.contactCard?.isActive === true ? line.contactCard : null;
  return toVcardText({
    firstName: card?.firstName ?? line.account.partner.name,
    lastName: card?.lastName ?? null,
    phoneNumbers: [line.phoneNumber, ...(await findBackups(accountId, lineId))],
    photo: card?.attachmentId == null ? null : await readPhoto(accountId, card.attachmentId),
  });
}

async function findBackups(accountId: string, lineId: string): Promise<string[]> {
  const lines = await prisma().line.findMany({
    where: { accountId, id: { not: lineId }, releasedAt: null, status: "ACTIVE", reputation: "HEALTHY" },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: MAX_BACKUPS,
    select: { phoneNumber: true },
  });
  return lines.map(({ phoneNumber }) => phoneNumber);
}

// Address books require JPEG. An image that can't be converted (HEIC) or was deleted is omitted from the vCard.
async function readPhoto(accountId: string, attachmentId: string): Promise<Buffer | null> {
  try {
    const { default: sharp } = await import("sharp");
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await openOwnFile(accountId, attachmentId)).body) chunks.push(chunk);
    return await sharp(Buffer.concat(chunks), { limitInputPixels: MAX_PIXELS })
      .rotate()
      .resize(PHOTO_SIDE, PHOTO_SIDE, { fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#ffffff" })
      .jpeg({ quality: 80 })
      .toBuffer();
  } catch (error) {
    log.debug({ err: error, attachmentId }, "a vCard was served without its image");
    return null;
  }
}
