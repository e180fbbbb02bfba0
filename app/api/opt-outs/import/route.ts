import { ImportOptOuts, importOptOuts } from "@/lib/recipients/opt-outs/import-opt-outs";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(ImportOptOuts, importOptOuts, authenticateSession);
