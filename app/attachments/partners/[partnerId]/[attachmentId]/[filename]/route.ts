import { z } from "zod";
import { openAttachment } from "@/lib/attachments/files/open-attachment";
import { fail } from "@/lib/platform/errors/errors";
import { fileResponse } from "@/lib/runtime/http/file-response";
import { plainRoute } from "@/lib/runtime/http/plain-route";

const Params = z.object({ partnerId: z.uuid(), attachmentId: z.uuid() });

/** A file on the CDN host, at a public or signed URL (docs/contract.md, section 10.3). */
export const GET = plainRoute(async (request, params) => {
  const parsed = Params.safeParse(params);
  if (!parsed.success) fail("attachment_not_found");
  const { partnerId, attachmentId } = parsed.data;
  const file = await openAttachment(partnerId, attachmentId, new URL(request.url).searchParams);
  return fileResponse(request, file);
});
