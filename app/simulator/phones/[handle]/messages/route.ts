import { endpoint } from "@/lib/runtime/http/endpoint";
import { WriteFromPhone, writeFromPhone } from "@/lib/simulator/phone-actions/write-from-phone";
import { ListPhoneMessages, listPhoneMessages } from "@/lib/simulator/phones/list-phone-messages";

export const GET = endpoint(ListPhoneMessages, listPhoneMessages);
export const POST = endpoint(WriteFromPhone, (ctx, { params, body }) =>
  writeFromPhone(ctx, params.handle, body),
);
