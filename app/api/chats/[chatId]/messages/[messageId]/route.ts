import { GetTimelineMessage, getTimelineMessage } from "@/lib/messaging/messages/get-timeline-message";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetTimelineMessage, getTimelineMessage, authenticateSession);
