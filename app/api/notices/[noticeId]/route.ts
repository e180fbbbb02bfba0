import { DismissNotice, dismissNotice } from "@/lib/identity/notices/dismiss-notice";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const DELETE = endpoint(DismissNotice, dismissNotice, authenticateSession);
