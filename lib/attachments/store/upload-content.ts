import "server-only";
import type { ByteStream } from "@/lib/adapters/storage/object-store";
import { findAttachment } from "@/lib/attachments/find-attachment";
import { storeUpload } from "@/lib/attachments/store/receive-upload";
import type { Context } from "@/lib/platform/context";

/**
 * Receives the bytes of a pending attachment from a browser, for every type of store, because a browser may not upload
 * to a bucket on another host. Errors: access_denied, and as `storeUpload`.
 */
export async function uploadContent(ctx: Context, attachmentId: string, body: ByteStream): Promise<void> {
  const attachment = await findAttachment(ctx.account.id, attachmentId);
  const { content_type: contentType, size_bytes } = attachment;
  await storeUpload(attachment, body, { contentType, sizeBytes: Number(size_bytes) });
}
