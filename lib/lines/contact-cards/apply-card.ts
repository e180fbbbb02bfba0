import "server-only";
import type { AdapterError } from "@/lib/adapters/adapter-error";
import type { OutContactCard, OutMedia } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { transportOf } from "@/lib/adapters/transports/registry";
import { toAdapterError, withTimeout } from "@/lib/adapters/with-timeout";
import { deliverFile } from "@/lib/attachments/conversions/deliver-file";
import { findAttachment } from "@/lib/attachments/find-attachment";
import { ApiError, fail } from "@/lib/platform/errors/errors";
import { log } from "@/lib/platform/telemetry/log";

const TIMEOUT_MS = 30_000;

/** How often a request sets a line's card again because other requests changed the stored card meanwhile. */
export const MAX_CARD_ATTEMPTS = 10;

/** The line that shows the card. */
export interface CardLine extends LineRef {
  transport: string;
}

/** The content of a card. */
export interface CardContent {
  firstName: string;
  lastName: string | null;
  attachmentId: string | null;
}

/**
 * Sets a line's card through its transport, or removes it (null). Lines that can't show cards use the card only for the
 * vCard. Errors: contact_card_failed, service_unavailable.
 */
export async function applyCard(line: CardLine, card: CardContent | null): Promise<void> {
  const transport = transportOf(line.transport);
  try {
    const shown = card && (await toOutCard(line.accountId, card));
    await withTimeout(TIMEOUT_MS, async (signal) => transport.setContactCard?.(line, shown, signal));
  } catch (thrown) {
    const error = toAdapterError(thrown);
    log.warn({ err: error, line: line.phoneNumber }, "a contact card could not be set on its line");
    fail(cardFailure(error), "the line rejected the contact card: retry in a few seconds");
  }
}

/**
 * Maps the error of a card update. Rate limiting by the transport counts as temporarily unavailable
 * (docs/contract.md, section 11.5).
 */
export function cardFailure({ kind }: AdapterError): "contact_card_failed" | "service_unavailable" {
  return kind === "rate_limited" ? "service_unavailable" : "contact_card_failed";
}

async function toOutCard(accountId: string, card: CardContent): Promise<OutContactCard> {
  const { firstName, lastName, attachmentId } = card;
  const image = attachmentId === null ? null : await toImage(accountId, attachmentId);
  return { firstName, lastName, image };
}

async function toImage(accountId: string, attachmentId: string): Promise<OutMedia | null> {
  const attachment = await findAttachment(accountId, attachmentId).catch(nullIfDeleted);
  if (attachment === null) return null;
  const { filename, content_type: contentType, size_bytes } = attachment;
  const stored = { accountId, attachmentId, filename, contentType, sizeBytes: Number(size_bytes) };
  const file = await deliverFile(stored);
  if (file === null) return null;
  const { sizeBytes, open } = file;
  return {
    type: "media",
    attachmentId,
    filename: file.filename,
    mimeType: file.contentType,
    sizeBytes,
    sticker: false,
    open,
  };
}

// A concurrent change of the card may have removed its image.
function nullIfDeleted(error: unknown): null {
  if (error instanceof ApiError && error.errorName === "attachment_not_found") return null;
  throw error;
}
