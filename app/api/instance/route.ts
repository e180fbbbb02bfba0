import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { getInstance } from "@/lib/runtime/operator/get-instance";
import { GetInstance } from "@/lib/runtime/operator/instance";

export const GET = endpoint(GetInstance, getInstance, authenticateSession);
