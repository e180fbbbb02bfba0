import { checkoutEndpoint } from "@/lib/runtime/customer-pages/checkout-route";

/** Polled by the open page. */
export const GET = checkoutEndpoint(async ({ checkout }) => ({ state: checkout.state }));
