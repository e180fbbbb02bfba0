import { authenticateSession } from "@/lib/http/authenticate-session";
import { apiRoute } from "@/lib/http/endpoint";
import { FinishConnection, finishConnection } from "@/lib/payment-requests/connect-processor";
import { dashboardUrl } from "@/lib/platform/env";

/** Where Stripe sends a person back to: on to the payment settings. */
export const GET = apiRoute(FinishConnection, authenticateSession, async ({ ctx, input }) => {
  const { can_charge } = await finishConnection(ctx, input);
  const location = `${dashboardUrl()}/payments/settings?connected=${can_charge ? "ready" : "pending"}`;
  return { status: 303, headers: { location, "x-trace-id": ctx.traceId }, text: null };
});
