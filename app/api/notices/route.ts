import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { ListNotices, listNotices } from "@/lib/identity/notices/list-notices";

export const GET = endpoint(ListNotices, listNotices, authenticateSession);
