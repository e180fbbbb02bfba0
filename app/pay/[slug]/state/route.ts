import { checkoutEndpoint } from "@/lib/http/checkout-route";

/** What the open page asks again and again. */
export const GET = checkoutEndpoint(async ({ checkout }) => ({ state: checkout.state }));
