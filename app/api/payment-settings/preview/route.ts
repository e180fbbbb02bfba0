import { PreviewCheckout, previewBranding, renderPreview } from "@/lib/payments/checkout/preview-checkout";
import { framedPage, newNonce } from "@/lib/runtime/customer-pages/checkout-route";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { apiRoute } from "@/lib/runtime/http/endpoint";

/** The preview of the checkout page in the payment settings. */
export const GET = apiRoute(PreviewCheckout, authenticateSession, async ({ ctx, input }) => {
  const branding = previewBranding(ctx, input);
  const nonce = newNonce();
  return { status: 200, headers: framedPage(branding, nonce), text: renderPreview(branding, nonce) };
});
