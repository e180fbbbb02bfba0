import { GetConsentEvidence, getConsentEvidence } from "@/lib/privacy/consent/consent-evidence";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetConsentEvidence, getConsentEvidence, authenticateSession);
