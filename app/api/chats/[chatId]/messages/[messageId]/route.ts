import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { GetTimelineMessage, getTimelineMessage } from "@/lib/messaging/messages/get-timeline-message";

export const GET = endpoint(GetTimelineMessage, getTimelineMessage, authenticateSession);
