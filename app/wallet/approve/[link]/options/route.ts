import { approvalOptions } from "@/lib/agent-payments/approve-payment";
import { plainRoute } from "@/lib/http/plain-route";

export const POST = plainRoute(async (_, { link = "" }) => Response.json(await approvalOptions(link)));
