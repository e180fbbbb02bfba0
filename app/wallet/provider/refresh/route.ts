import { resumeOnboarding } from "@/lib/payments/agent-payments/return-from-provider";
import { leadOn } from "@/lib/payments/wallet/provider-page";
import { plainRoute } from "@/lib/runtime/http/plain-route";

/** Where a provider sends an admin whose page of it has expired: to a fresh one. */
export const GET = plainRoute((request) => leadOn(request, resumeOnboarding));
