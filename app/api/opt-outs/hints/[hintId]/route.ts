import { DecideHint, decideHint } from "@/lib/recipients/opt-outs/decide-hint";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(DecideHint, decideHint, authenticateSession);
