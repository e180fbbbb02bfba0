import { passkeyOptions } from "@/lib/agent-payments/register-passkey";
import { plainRoute } from "@/lib/http/plain-route";

export const POST = plainRoute(async (_, { link = "" }) => Response.json(await passkeyOptions(link)));
