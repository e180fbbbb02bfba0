import { GetInboxCounts, getInboxCounts } from "@/lib/messaging/inbox/count-inbox";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetInboxCounts, getInboxCounts, authenticateSession);
