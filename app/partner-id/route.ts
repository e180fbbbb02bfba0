import { GetPartnerId, getPartnerId } from "@/lib/identity/accounts/get-partner-id";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetPartnerId, getPartnerId);
