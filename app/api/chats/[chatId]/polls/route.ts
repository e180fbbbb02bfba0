import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { SendPoll, sendPoll } from "@/lib/polls/send-poll";

export const POST = endpoint(SendPoll, sendPoll, authenticateSession);
