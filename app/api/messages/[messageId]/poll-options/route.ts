import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { AddPollOptions, addPollOptions } from "@/lib/messaging/polls/add-poll-options";

export const POST = endpoint(AddPollOptions, addPollOptions, authenticateSession);
