import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { DismissNotice, dismissNotice } from "@/lib/identity/notices/dismiss-notice";

export const DELETE = endpoint(DismissNotice, dismissNotice, authenticateSession);
