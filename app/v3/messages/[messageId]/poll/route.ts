import { GetPoll, getPoll } from "@/lib/messaging/polls/get-poll";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetPoll, getPoll);
