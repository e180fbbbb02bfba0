import { z } from "zod";
import { MAX_UPLOAD_BYTES } from "@/lib/attachments/file-types/file-limits";
import { uploadContent } from "@/lib/attachments/store/upload-content";
import { fail } from "@/lib/platform/errors/errors";
import { bodyOf } from "@/lib/platform/http/node-body";
import { readChunks } from "@/lib/platform/http/read-chunks";
import { sessionRoute } from "@/lib/runtime/http/session-route";

const Params = z.object({ attachmentId: z.uuid() });

/** Uploads the bytes of an attachment that the dashboard created. */
export const PUT = sessionRoute(
  { right: "send_messages" },
  async (ctx, request, params) => {
    const parsed = Params.safeParse(params);
    if (!parsed.success) fail("attachment_not_found");
    await uploadContent(ctx, parsed.data.attachmentId, readChunks(bodyOf(request)));
    return new Response(null, { status: 204 });
  },
  MAX_UPLOAD_BYTES,
);
