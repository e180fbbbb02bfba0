import { GetPaymentProvider, getPaymentProvider } from "@/lib/agent-payments/get-payment-provider";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(GetPaymentProvider, getPaymentProvider);
