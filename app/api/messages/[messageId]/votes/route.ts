import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { VoteInPoll, voteInPoll } from "@/lib/messaging/polls/vote-in-poll";

export const POST = endpoint(VoteInPoll, voteInPoll, authenticateSession);
