import { approvalOptions } from "@/lib/payments/agent-payments/approve-payment";
import { plainRoute } from "@/lib/runtime/http/plain-route";

export const POST = plainRoute(async (_, { link = "" }) => Response.json(await approvalOptions(link)));
