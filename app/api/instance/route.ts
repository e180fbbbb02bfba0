import { getInstance } from "@/lib/operations/instance/get-instance";
import { GetInstance } from "@/lib/operations/instance/instance";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetInstance, getInstance, authenticateSession);
