import { GetPayment, getPayment } from "@/lib/agent-payments/get-payment";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(GetPayment, getPayment);
