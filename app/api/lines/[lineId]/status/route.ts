import { FlagLine, flagLine } from "@/lib/lines/lines/flag-line";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const PUT = endpoint(FlagLine, flagLine, authenticateSession);
