import { endpoint } from "@/lib/http/endpoint";
import { GetPoll, getPoll } from "@/lib/messaging/polls/get-poll";

export const GET = endpoint(GetPoll, getPoll);
