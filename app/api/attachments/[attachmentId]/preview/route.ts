import { z } from "zod";
import { fileResponse } from "@/lib/http/file-response";
import { sessionRoute } from "@/lib/http/session-route";
import { openPreview } from "@/lib/messaging/attachments/open-preview";
import { fail } from "@/lib/platform/errors";

const Params = z.object({ attachmentId: z.uuid() });

/** A small picture of an attachment of the account, for the dashboard. */
export const GET = sessionRoute({ right: "view_chats" }, async (ctx, request, params) => {
  const parsed = Params.safeParse(params);
  if (!parsed.success) fail("attachment_not_found");
  return fileResponse(request, await openPreview(ctx, parsed.data.attachmentId));
});
