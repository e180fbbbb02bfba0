import { AddPollOptions, addPollOptions } from "@/lib/messaging/polls/add-poll-options";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(AddPollOptions, addPollOptions, authenticateSession);
