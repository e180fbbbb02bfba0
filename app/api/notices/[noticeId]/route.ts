import {
  DismissNotice,
  dismissNotice,
  RestoreNotice,
  restoreNotice,
} from "@/lib/identity/notices/dismiss-notice";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const DELETE = endpoint(DismissNotice, dismissNotice, authenticateSession);
export const PUT = endpoint(RestoreNotice, restoreNotice, authenticateSession);
