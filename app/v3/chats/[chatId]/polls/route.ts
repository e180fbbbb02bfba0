import { SendPoll, sendPoll } from "@/lib/messaging/polls/send-poll";
import { TryPoll, tryPoll } from "@/lib/messaging/polls/try-poll";
import { endpoint, withDryRun } from "@/lib/runtime/http/endpoint";

export const POST = withDryRun(endpoint(SendPoll, sendPoll), endpoint(TryPoll, tryPoll));
