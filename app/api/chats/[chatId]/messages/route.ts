import { ListTimeline, listTimeline } from "@/lib/messaging/messages/list-timeline";
import { SendAsUser, sendAsUser } from "@/lib/messaging/sending/send-as-user";
import { TrySend, trySend } from "@/lib/messaging/sending/try-send";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint, withDryRun } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListTimeline, listTimeline, authenticateSession);
export const POST = withDryRun(
  endpoint(SendAsUser, sendAsUser, authenticateSession),
  endpoint(TrySend, trySend, authenticateSession),
);
