import { GetOwnToken, getOwnToken } from "@/lib/identity/tokens/get-own-token";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetOwnToken, getOwnToken);
