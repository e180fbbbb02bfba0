import { GetTrace, getTrace } from "@/lib/runtime/dashboard/get-trace";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetTrace, getTrace, authenticateSession);
