import { BODY_LIMIT_BYTES } from "@/lib/platform/contract";
import { readBody } from "@/lib/platform/read-body";
import { plainRoute } from "@/lib/runtime/http/plain-route";
import { receiveRelayed } from "@/lib/webhooks/receive-relayed";

/** Forwards one of Trunkline's webhooks to the program behind a relay connection. */
export const POST = plainRoute(async (request, { connectionId = "" }) => {
  const body = await readBody(request, { limitBytes: BODY_LIMIT_BYTES });
  await receiveRelayed(connectionId, request.headers, body);
  return Response.json({ relayed: true });
});
