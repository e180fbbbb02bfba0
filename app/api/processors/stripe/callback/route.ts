import { FinishConnection, finishConnection } from "@/lib/payments/processors/connect-processor";
import { dashboardUrl } from "@/lib/platform/env";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { apiRoute, type RouteContext } from "@/lib/runtime/http/endpoint";

const finish = apiRoute(FinishConnection, authenticateSession, async ({ ctx, input }) => {
  const { can_charge } = await finishConnection(ctx, input);
  const location = settingsUrl(can_charge ? "ready" : "pending");
  return { status: 303, headers: { location, "x-trace-id": ctx.traceId }, text: null };
});

/** Handles the redirect from Stripe and redirects to the payment settings, whatever the outcome. */
async function handleStripeRedirect(request: Request, route: RouteContext): Promise<Response> {
  const response = await finish(request, route);
  if (response.status < 400) return response;
  const isRefused = new URL(request.url).searchParams.get("error") === "access_denied";
  const location = settingsUrl(isRefused ? "refused" : "failed");
  const traceId = response.headers.get("x-trace-id") ?? "";
  return new Response(null, { status: 303, headers: { location, "x-trace-id": traceId } });
}

function settingsUrl(outcome: string): string {
  return `${dashboardUrl()}/payments/settings?connected=${outcome}`;
}

export const GET = Object.assign(handleStripeRedirect, { contract: FinishConnection });
