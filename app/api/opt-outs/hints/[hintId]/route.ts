import { DecideHint, decideHint, ReopenHint, reopenHint } from "@/lib/recipients/opt-outs/decide-hint";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const DELETE = endpoint(ReopenHint, reopenHint, authenticateSession);
export const POST = endpoint(DecideHint, decideHint, authenticateSession);
