import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { FlagLine, flagLine } from "@/lib/lines/lines/flag-line";

export const PUT = endpoint(FlagLine, flagLine, authenticateSession);
