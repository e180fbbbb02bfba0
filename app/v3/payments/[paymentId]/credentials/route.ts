import { GetCredentials, getCredentials } from "@/lib/payments/agent-payments/get-credentials";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetCredentials, getCredentials);
