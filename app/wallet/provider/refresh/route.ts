import { resumeOnboarding } from "@/lib/payments/card-providers/return-from-provider";
import { redirectToOnboarding } from "@/lib/payments/wallet/provider-page";
import { plainRoute } from "@/lib/runtime/http/plain-route";

/** A provider redirects an admin here when its onboarding page has expired. Redirects to a new page. */
export const GET = plainRoute((request) => redirectToOnboarding(request, resumeOnboarding));
