import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { CreatePhone, createPhone } from "@/lib/simulator/phones/create-phone";
import { ShowPhones, showPhones } from "@/lib/simulator/phones/show-phones";

export const GET = endpoint(ShowPhones, showPhones, authenticateSession);
export const POST = endpoint(CreatePhone, (ctx, { body }) => createPhone(ctx, body), authenticateSession);
