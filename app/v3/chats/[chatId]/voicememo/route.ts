import { SendVoiceMemo, sendVoiceMemo } from "@/lib/messaging/sending/send-voice-memo";
import { TrySendVoiceMemo, trySendVoiceMemo } from "@/lib/messaging/sending/try-send-voice-memo";
import { endpoint, withDryRun } from "@/lib/runtime/http/endpoint";

export const POST = withDryRun(
  endpoint(SendVoiceMemo, sendVoiceMemo),
  endpoint(TrySendVoiceMemo, trySendVoiceMemo),
);
