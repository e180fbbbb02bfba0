import { endpoint } from "@/lib/http/endpoint";
import { GetPaymentProvider, getPaymentProvider } from "@/lib/payments/agent-payments/get-payment-provider";

export const GET = endpoint(GetPaymentProvider, getPaymentProvider);
