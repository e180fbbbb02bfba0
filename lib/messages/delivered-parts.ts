import "server-only";
import type { Cap, OutMedia, OutPart } from "@/lib/adapters/transports/transport";
import { deliverFile } from "@/lib/attachments/deliver-file";
import type { ClaimedMessage } from "@/lib/messages/claim-messages";
import type { StoredMediaPart } from "@/lib/messages/message-part";
import { openSecretText } from "@/lib/messages/secret-text";
import type { ErrorName } from "@/lib/platform/errors";

/** Why a message's parts cannot be sent. */
interface Undeliverable {
  error: ErrorName;
  reason: string;
}

/** A message's parts as the transport gets them: what the service cannot show is left out, files are converted. */
export async function deliveredParts(
  message: ClaimedMessage,
  caps: ReadonlySet<Cap>,
): Promise<{ parts: OutPart[] } | Undeliverable> {
  const parts: OutPart[] = [];
  for (const part of message.parts) {
    if (part.type === "text") {
      const decorations = caps.has("decorations") ? (part.text_decorations ?? []) : [];
      parts.push({ type: part.type, value: deliveredText(part), decorations });
      continue;
    }
    if (!caps.has("media")) return { error: "type_not_supported", reason: "no files over this service" };
    const file = await toOutMedia(message.account_id, part, caps);
    if (file === null)
      return { error: "delivery_failed", reason: `${part.filename} was deleted before it was sent` };
    parts.push(file);
  }
  return { parts };
}

function deliveredText({ value, sealed }: { value: string; sealed?: string }): string {
  return sealed === undefined ? value : openSecretText(sealed);
}

async function toOutMedia(
  accountId: string,
  part: StoredMediaPart,
  caps: ReadonlySet<Cap>,
): Promise<OutMedia | null> {
  if (part.attachment_id === null) return null;
  const file = await deliverFile({
    accountId,
    attachmentId: part.attachment_id,
    filename: part.filename,
    contentType: part.mime_type,
    sizeBytes: part.size_bytes,
  });
  if (file === null) return null;
  const { filename, contentType, sizeBytes, open } = file;
  const sticker = part.sticker && caps.has("sticker");
  return {
    type: "media",
    attachmentId: part.attachment_id,
    filename,
    mimeType: contentType,
    sizeBytes,
    sticker,
    open,
  };
}
