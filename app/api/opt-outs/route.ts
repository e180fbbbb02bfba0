import { ChangeOptOut, changeOptOut } from "@/lib/recipients/opt-outs/change-opt-out";
import { ListOptOuts, listOptOuts } from "@/lib/recipients/opt-outs/list-opt-outs";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListOptOuts, listOptOuts, authenticateSession);
export const POST = endpoint(ChangeOptOut, changeOptOut, authenticateSession);
