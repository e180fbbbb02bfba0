import { SendVoiceMemo, sendVoiceMemo } from "@/lib/messaging/sending/send-voice-memo";
import { TryVoiceMemo, tryVoiceMemo } from "@/lib/messaging/sending/try-voice-memo";
import { endpoint, withDryRun } from "@/lib/runtime/http/endpoint";

export const POST = withDryRun(endpoint(SendVoiceMemo, sendVoiceMemo), endpoint(TryVoiceMemo, tryVoiceMemo));
