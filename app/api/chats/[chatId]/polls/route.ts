import { SendPoll, sendPoll } from "@/lib/messaging/polls/send-poll";
import { TryPoll, tryPoll } from "@/lib/messaging/polls/try-poll";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint, withDryRun } from "@/lib/runtime/http/endpoint";

export const POST = withDryRun(
  endpoint(SendPoll, sendPoll, authenticateSession),
  endpoint(TryPoll, tryPoll, authenticateSession),
);
