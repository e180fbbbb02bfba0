import { SendPoll, sendPoll } from "@/lib/messaging/polls/send-poll";
import { TrySendPoll, trySendPoll } from "@/lib/messaging/polls/try-send-poll";
import { endpoint, withDryRun } from "@/lib/runtime/http/endpoint";

export const POST = withDryRun(endpoint(SendPoll, sendPoll), endpoint(TrySendPoll, trySendPoll));
