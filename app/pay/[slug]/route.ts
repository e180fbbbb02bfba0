import { renderCheckout } from "@/lib/payments/checkout/render-checkout";
import { checkoutPage, pageResponse } from "@/lib/runtime/customer-pages/checkout-route";

/** The hosted checkout (docs/contract.md, section 13.2). A GET changes nothing, because link previews send one too. */
export const GET = checkoutPage(async ({ checkout, visit }) =>
  pageResponse(renderCheckout(checkout, visit), {
    visit,
    branding: checkout.branding,
    images: [checkout.row.imageUrl],
    usesStripe: checkout.row.processor === "stripe",
  }),
);
