import { GetCustomer, getCustomer } from "@/lib/runtime/dashboard/get-customer";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetCustomer, getCustomer, authenticateSession);
