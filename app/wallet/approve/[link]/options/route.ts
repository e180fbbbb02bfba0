import { approvalOptions } from "@/lib/payments/wallet/approve-payment";
import { plainRoute } from "@/lib/runtime/http/plain-route";

export const POST = plainRoute(async (_, { link = "" }) => Response.json(await approvalOptions(link)));
