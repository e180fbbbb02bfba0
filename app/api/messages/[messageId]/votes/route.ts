import { VoteInPoll, voteInPoll } from "@/lib/messaging/polls/vote-in-poll";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(VoteInPoll, voteInPoll, authenticateSession);
