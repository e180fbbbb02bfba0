import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { SendVoiceMemo, sendVoiceMemo } from "@/lib/messages/send-voice-memo";

export const POST = endpoint(SendVoiceMemo, sendVoiceMemo, authenticateSession);
