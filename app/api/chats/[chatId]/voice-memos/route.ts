import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { withDryRun } from "@/lib/http/with-dry-run";
import { SendVoiceMemo, sendVoiceMemo } from "@/lib/messaging/messages/send-voice-memo";
import { TryVoiceMemo, tryVoiceMemo } from "@/lib/messaging/messages/try-voice-memo";

export const POST = withDryRun(
  endpoint(SendVoiceMemo, sendVoiceMemo, authenticateSession),
  endpoint(TryVoiceMemo, tryVoiceMemo, authenticateSession),
);
