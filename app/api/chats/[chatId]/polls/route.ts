import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { withDryRun } from "@/lib/http/with-dry-run";
import { SendPoll, sendPoll } from "@/lib/messaging/polls/send-poll";
import { TryPoll, tryPoll } from "@/lib/messaging/polls/try-poll";

export const POST = withDryRun(
  endpoint(SendPoll, sendPoll, authenticateSession),
  endpoint(TryPoll, tryPoll, authenticateSession),
);
