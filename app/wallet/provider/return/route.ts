import { returnFromProvider } from "@/lib/payments/card-providers/return-from-provider";
import { redirectToOnboarding } from "@/lib/payments/wallet/provider-page";
import { plainRoute } from "@/lib/runtime/http/plain-route";

/** A provider redirects an admin here at the end of its onboarding. */
export const GET = plainRoute((request) => redirectToOnboarding(request, returnFromProvider));
