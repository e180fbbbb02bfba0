import { endpoint } from "@/lib/http/endpoint";
import { GetCredentials, getCredentials } from "@/lib/payments/agent-payments/get-credentials";

export const GET = endpoint(GetCredentials, getCredentials);
