import { endpoint } from "@/lib/runtime/http/endpoint";
import { ListPhoneMessages, listPhoneMessages } from "@/lib/simulator/list-phone-messages";
import { WriteFromPhone, writeFromPhone } from "@/lib/simulator/write-from-phone";

export const GET = endpoint(ListPhoneMessages, listPhoneMessages);
export const POST = endpoint(WriteFromPhone, (ctx, { params, body }) =>
  writeFromPhone(ctx, params.handle, body),
);
