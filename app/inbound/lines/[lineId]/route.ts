import { z } from "zod";
import { BODY_LIMIT_BYTES } from "@/lib/platform/contract";
import { baseUrl } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors/errors";
import { type BodyLimit, readBytes } from "@/lib/platform/http/read-body";
import { plainRoute } from "@/lib/runtime/http/plain-route";
import { receiveCallback, requireCallbackLine } from "@/lib/runtime/wiring/receive-callback";

async function answer(request: Request, params: Record<string, string>, limit: BodyLimit): Promise<Response> {
  const lineId = z.uuid().safeParse(params.lineId);
  const called = await requireCallbackLine(lineId.success ? lineId.data : fail("route_unknown"));
  const { pathname, search } = new URL(request.url);
  const reply = await receiveCallback(called, {
    method: request.method,
    url: `${baseUrl()}${pathname}${search}`,
    headers: Object.fromEntries(request.headers),
    body: await readBytes(request, limit),
  });
  return new Response(reply?.body ?? null, { status: reply?.status ?? 200, headers: reply?.headers ?? {} });
}

/** Receives callbacks from the vendor of a line. Responds once the reported events are stored. */
export const POST = plainRoute(answer, BODY_LIMIT_BYTES);

/** Some vendors use GET. */
export const GET = plainRoute(answer, BODY_LIMIT_BYTES);
