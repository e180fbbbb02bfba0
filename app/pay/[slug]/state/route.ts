import { checkoutEndpoint } from "@/lib/runtime/http/checkout-route";

/** What the open page asks again and again. */
export const GET = checkoutEndpoint(async ({ checkout }) => ({ state: checkout.state }));
