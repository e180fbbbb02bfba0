import { endpoint } from "@/lib/http/endpoint";
import { GetPayment, getPayment } from "@/lib/payments/agent-payments/get-payment";

export const GET = endpoint(GetPayment, getPayment);
