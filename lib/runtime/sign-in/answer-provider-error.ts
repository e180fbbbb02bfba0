import "server-only";
import { dashboardUrl } from "@/lib/platform/env";
import { log } from "@/lib/platform/telemetry/log";

const CALLBACK = "/api/auth/callback/oidc";
const REASONS: Readonly<Record<string, string>> = {
  access_denied: "canceled",
  server_error: "unavailable",
  temporarily_unavailable: "unavailable",
};

/**
 * The response to an identity provider that returns an error instead of a code, for example because the person canceled:
 * the sign-in page with the reason. null for other requests. The error is the person's or the provider's, so the log has
 * one line without a stack.
 */
export function answerProviderError(request: Request): Response | null {
  const { pathname, searchParams } = new URL(request.url);
  const error = searchParams.get("error");
  if (!pathname.endsWith(CALLBACK) || error === null) return null;
  const reason = Object.hasOwn(REASONS, error) ? REASONS[error] : "provider";
  const description = searchParams.get("error_description")?.slice(0, 200);
  log.warn({ error: error.slice(0, 80), description }, "the identity provider refused a sign-in");
  const location = `${new URL(dashboardUrl()).origin}/sign-in?error=${reason}`;
  return new Response(null, { status: 302, headers: { location } });
}
