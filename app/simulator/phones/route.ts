import { endpoint } from "@/lib/runtime/http/endpoint";
import { CreatePhone, createPhone } from "@/lib/simulator/phones/create-phone";
import { ListPhones, listPhones } from "@/lib/simulator/phones/list-phones";

export const GET = endpoint(ListPhones, listPhones);
export const POST = endpoint(CreatePhone, (ctx, { body }) => createPhone(ctx, body));
