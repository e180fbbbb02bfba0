import { TotalPayments, totalPayments } from "@/lib/payments/agent-payments/total-payments";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(TotalPayments, totalPayments, authenticateSession);
