import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { WriteFromPhone, writeFromPhone } from "@/lib/simulator/phone-actions/write-from-phone";

export const POST = endpoint(
  WriteFromPhone,
  (ctx, { params, body }) => writeFromPhone(ctx, params.handle, body),
  authenticateSession,
);
