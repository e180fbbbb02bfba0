import { plainRoute } from "@/lib/http/plain-route";
import { approvalOptions } from "@/lib/payments/agent-payments/approve-payment";

export const POST = plainRoute(async (_, { link = "" }) => Response.json(await approvalOptions(link)));
