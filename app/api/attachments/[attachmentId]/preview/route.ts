import { z } from "zod";
import { openPreview } from "@/lib/attachments/conversions/open-preview";
import { fail } from "@/lib/platform/errors/errors";
import { fileResponse } from "@/lib/runtime/http/file-response";
import { sessionRoute } from "@/lib/runtime/http/session-route";

const Params = z.object({ attachmentId: z.uuid() });

/** A small preview image of one of the account's attachments, for the dashboard. */
export const GET = sessionRoute({ right: "view_chats" }, async (ctx, request, params) => {
  const parsed = Params.safeParse(params);
  if (!parsed.success) fail("attachment_not_found");
  return fileResponse(request, await openPreview(ctx, parsed.data.attachmentId, request.signal));
});
