import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { CreatePhone, createPhone } from "@/lib/simulator/phones/create-phone";
import { ListPhoneViews, listPhoneViews } from "@/lib/simulator/phones/list-phone-views";

export const GET = endpoint(ListPhoneViews, listPhoneViews, authenticateSession);
export const POST = endpoint(CreatePhone, (ctx, { body }) => createPhone(ctx, body), authenticateSession);
