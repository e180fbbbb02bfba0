import { z } from "zod";
import { openPreview } from "@/lib/attachments/open-preview";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { fileResponse } from "@/lib/http/file-response";
import { plainRoute } from "@/lib/http/plain-route";
import { now } from "@/lib/platform/clock";
import { fail } from "@/lib/platform/errors";
import { newTraceId } from "@/lib/platform/ids";

const Params = z.object({ attachmentId: z.uuid() });

/** A small picture of an attachment of the account, for the dashboard. */
export const GET = plainRoute(async (request, params) => {
  const caller = await authenticateSession(request);
  const parsed = Params.safeParse(params);
  if (!parsed.success) fail("attachment_not_found");
  const ctx = { ...caller, traceId: newTraceId(), now: now() };
  return fileResponse(request, await openPreview(ctx, parsed.data.attachmentId));
});
