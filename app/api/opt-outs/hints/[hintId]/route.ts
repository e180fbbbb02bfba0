import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { DecideHint, decideHint } from "@/lib/recipients/opt-outs/decide-hint";

export const POST = endpoint(DecideHint, decideHint, authenticateSession);
