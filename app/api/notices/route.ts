import { ListNotices, listNotices } from "@/lib/identity/notices/list-notices";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListNotices, listNotices, authenticateSession);
