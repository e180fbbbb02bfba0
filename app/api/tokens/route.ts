import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { CreateToken, createToken } from "@/lib/identity/tokens/create-token";
import { ListTokens, listTokens } from "@/lib/identity/tokens/list-tokens";

export const GET = endpoint(ListTokens, listTokens, authenticateSession);
export const POST = endpoint(CreateToken, (ctx, { body }) => createToken(ctx, body), authenticateSession);
