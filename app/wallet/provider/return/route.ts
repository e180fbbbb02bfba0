import { plainRoute } from "@/lib/http/plain-route";
import { returnFromProvider } from "@/lib/payments/agent-payments/return-from-provider";
import { leadOn } from "@/lib/payments/wallet/provider-page";

/** Where a provider's own onboarding sends an admin back to. */
export const GET = plainRoute((request) => leadOn(request, returnFromProvider));
