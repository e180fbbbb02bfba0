import { z } from "zod";
import { MAX_UPLOAD_BYTES } from "@/lib/attachments/file-types/file-limits";
import { receiveUpload } from "@/lib/attachments/store/receive-upload";
import { fail } from "@/lib/platform/errors/errors";
import { bodyOf } from "@/lib/platform/http/node-body";
import { readChunks } from "@/lib/platform/http/read-chunks";
import { plainRoute } from "@/lib/runtime/http/plain-route";

const Params = z.object({ accountId: z.uuid(), attachmentId: z.uuid() });

/** Uploads the bytes of a created attachment. The signed URL is the only authorization. */
export const PUT = plainRoute(async (request, params) => {
  const parsed = Params.safeParse(params);
  if (!parsed.success) fail("attachment_not_found");
  const { headers } = request;
  const query = new URL(request.url).searchParams;
  await receiveUpload({ ...parsed.data, query, headers, body: readChunks(bodyOf(request)) });
  return new Response(null, { status: 200 });
}, MAX_UPLOAD_BYTES);
