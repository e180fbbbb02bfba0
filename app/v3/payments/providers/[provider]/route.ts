import { GetPaymentProvider, getPaymentProvider } from "@/lib/payments/agent-payments/get-payment-provider";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetPaymentProvider, getPaymentProvider);
