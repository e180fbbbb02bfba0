import { GetExplorerValues, getExplorerValues } from "@/lib/runtime/docs/get-explorer-values";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetExplorerValues, getExplorerValues, authenticateSession);
