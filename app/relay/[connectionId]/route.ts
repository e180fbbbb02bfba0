import { BODY_LIMIT_BYTES } from "@/lib/platform/contract";
import { readBody } from "@/lib/platform/http/read-body";
import { plainRoute } from "@/lib/runtime/http/plain-route";
import { findRelayed, receiveRelayed } from "@/lib/webhooks/targets/receive-relayed";

/** Forwards one of Trunkline's webhooks to the program behind a relay connection. */
export const POST = plainRoute(async (request, { connectionId = "" }, limit) => {
  // Before the body is read: only programs that are connected have one.
  const target = await findRelayed(connectionId, request.headers);
  await receiveRelayed(target, request.headers, await readBody(request, limit));
  return Response.json({ relayed: true });
}, BODY_LIMIT_BYTES);
