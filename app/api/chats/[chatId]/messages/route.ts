import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { withDryRun } from "@/lib/http/with-dry-run";
import { ListTimeline, listTimeline } from "@/lib/messaging/messages/list-timeline";
import { SendAsUser, sendAsUser } from "@/lib/messaging/messages/send-as-user";
import { TrySend, trySend } from "@/lib/messaging/messages/try-send";

export const GET = endpoint(ListTimeline, listTimeline, authenticateSession);
export const POST = withDryRun(
  endpoint(SendAsUser, sendAsUser, authenticateSession),
  endpoint(TrySend, trySend, authenticateSession),
);
