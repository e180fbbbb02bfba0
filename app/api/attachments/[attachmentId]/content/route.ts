import { z } from "zod";
import { uploadContent } from "@/lib/attachments/upload-content";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { plainRoute } from "@/lib/http/plain-route";
import { now } from "@/lib/platform/clock";
import { fail } from "@/lib/platform/errors";
import { newTraceId } from "@/lib/platform/ids";
import { readChunks } from "@/lib/platform/read-body";

const Params = z.object({ attachmentId: z.uuid() });

/** Takes the bytes of an attachment the dashboard has announced. */
export const PUT = plainRoute(async (request, params) => {
  const caller = await authenticateSession(request);
  const parsed = Params.safeParse(params);
  if (!parsed.success) fail("attachment_not_found");
  const ctx = { ...caller, traceId: newTraceId(), now: now() };
  await uploadContent(ctx, parsed.data.attachmentId, readChunks(request.body));
  return new Response(null, { status: 204 });
});
