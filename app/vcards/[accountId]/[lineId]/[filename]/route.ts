import { z } from "zod";
import { getVcard } from "@/lib/lines/contact-cards/get-vcard";
import { fail } from "@/lib/platform/errors/errors";
import { plainRoute } from "@/lib/runtime/http/plain-route";

const Params = z.object({ accountId: z.uuid(), lineId: z.uuid() });

/** A line's vCard, at the signed URL that GET /v3/available_number returns (docs/contract.md, section 7.3). */
export const GET = plainRoute(async (request, params) => {
  const parsed = Params.safeParse(params);
  if (!parsed.success) fail("line_not_found");
  const text = await getVcard({ ...parsed.data, query: new URL(request.url).searchParams });
  return new Response(text, {
    headers: {
      "content-type": "text/vcard; charset=utf-8",
      "content-disposition": 'attachment; filename="contact.vcf"',
      "cache-control": "private, no-cache",
      "x-content-type-options": "nosniff",
    },
  });
});
