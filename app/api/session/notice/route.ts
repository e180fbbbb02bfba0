import { DismissSessionNotice, dismissSessionNotice } from "@/lib/identity/sessions/session-notice";
import { authenticateIncompleteSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const DELETE = endpoint(DismissSessionNotice, dismissSessionNotice, authenticateIncompleteSession);
