import { consentDocument } from "@/lib/runtime/dashboard/consent-document";

export const GET = consentDocument;
