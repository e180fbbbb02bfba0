import { CreateToken, createToken } from "@/lib/identity/tokens/create-token";
import { ListTokens, listTokens } from "@/lib/identity/tokens/list-tokens";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListTokens, listTokens, authenticateSession);
export const POST = endpoint(CreateToken, (ctx, { body }) => createToken(ctx, body), authenticateSession);
