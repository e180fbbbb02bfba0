// seal-sessions.mjs bundles this file: the checkout links of filled requests are sealed as the server seals them.
export { newCheckoutSession } from "@/lib/payments/requests/checkout-session";
