import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { ChangeOptOut, changeOptOut } from "@/lib/recipients/opt-outs/change-opt-out";
import { ListOptOuts, listOptOuts } from "@/lib/recipients/opt-outs/list-opt-outs";

export const GET = endpoint(ListOptOuts, listOptOuts, authenticateSession);
export const POST = endpoint(ChangeOptOut, changeOptOut, authenticateSession);
