import { consentDocument } from "@/lib/runtime/consent/consent-document";

export const GET = consentDocument;
