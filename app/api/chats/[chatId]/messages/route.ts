import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { ListTimeline, listTimeline } from "@/lib/messages/list-timeline";
import { sendAsUser } from "@/lib/messages/send-as-user";
import { SendMessage } from "@/lib/messages/send-message";

export const GET = endpoint(ListTimeline, listTimeline, authenticateSession);
export const POST = endpoint(SendMessage, sendAsUser, authenticateSession);
