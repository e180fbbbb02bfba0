import { SendPoll, sendPoll } from "@/lib/messaging/polls/send-poll";
import { TrySendPoll, trySendPoll } from "@/lib/messaging/polls/try-send-poll";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint, withDryRun } from "@/lib/runtime/http/endpoint";

export const POST = withDryRun(
  endpoint(SendPoll, sendPoll, authenticateSession),
  endpoint(TrySendPoll, trySendPoll, authenticateSession),
);
