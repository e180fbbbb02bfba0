import { returnFromProvider } from "@/lib/payments/agent-payments/return-from-provider";
import { leadOn } from "@/lib/payments/wallet/provider-page";
import { plainRoute } from "@/lib/runtime/http/plain-route";

/** Where a provider's own onboarding sends an admin back to. */
export const GET = plainRoute((request) => leadOn(request, returnFromProvider));
