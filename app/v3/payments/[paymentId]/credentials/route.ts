import { GetCredentials, getCredentials } from "@/lib/agent-payments/get-credentials";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(GetCredentials, getCredentials);
