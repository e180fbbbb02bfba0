import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { asPerson } from "@/lib/simulator/as-person";
import { WriteFromPhone, writeFromPhone } from "@/lib/simulator/write-from-phone";

export const POST = endpoint(
  asPerson(WriteFromPhone),
  (ctx, { params, body }) => writeFromPhone(ctx, params.handle, body),
  authenticateSession,
);
