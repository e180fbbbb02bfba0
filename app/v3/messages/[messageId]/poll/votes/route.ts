import { VoteInPoll, voteInPoll } from "@/lib/messaging/polls/vote-in-poll";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(VoteInPoll, voteInPoll);
