import { GetAuditWithChats, getAuditWithChats } from "@/lib/lines/reputation/get-audit-with-chats";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetAuditWithChats, getAuditWithChats, authenticateSession);
