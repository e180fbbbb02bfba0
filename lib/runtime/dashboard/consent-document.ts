import "server-only";
import { GetConsentEvidence, getConsentEvidence } from "@/lib/privacy/consent/consent-evidence";
import { renderConsent } from "@/lib/privacy/consent/render-consent";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { apiRoute } from "@/lib/runtime/http/endpoint";

const { summary, tag, right, params, status, errors } = GetConsentEvidence;

/** The consent evidence of a handle as an HTML document without scripts. */
export const consentDocument = apiRoute(
  { summary: `${summary} as a document`, tag, right, params, status, errors },
  authenticateSession,
  async ({ ctx, input }) => ({
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-modals",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-trace-id": ctx.traceId,
    },
    text: renderConsent(await getConsentEvidence(ctx, input)),
  }),
);
