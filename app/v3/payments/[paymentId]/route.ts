import { GetPayment, getPayment } from "@/lib/payments/agent-payments/get-payment";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetPayment, getPayment);
