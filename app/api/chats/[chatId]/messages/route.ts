import { ListTimeline, listTimeline } from "@/lib/messaging/messages/list-timeline";
import { SendAsUser, sendAsUser } from "@/lib/messaging/messages/send-as-user";
import { TrySend, trySend } from "@/lib/messaging/messages/try-send";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { withDryRun } from "@/lib/runtime/http/with-dry-run";

export const GET = endpoint(ListTimeline, listTimeline, authenticateSession);
export const POST = withDryRun(
  endpoint(SendAsUser, sendAsUser, authenticateSession),
  endpoint(TrySend, trySend, authenticateSession),
);
