import { SendVoiceMemo, sendVoiceMemo } from "@/lib/messaging/messages/send-voice-memo";
import { TryVoiceMemo, tryVoiceMemo } from "@/lib/messaging/messages/try-voice-memo";
import { endpoint, withDryRun } from "@/lib/runtime/http/endpoint";

export const POST = withDryRun(endpoint(SendVoiceMemo, sendVoiceMemo), endpoint(TryVoiceMemo, tryVoiceMemo));
