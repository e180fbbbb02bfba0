import { GetPaymentProvider, getPaymentProvider } from "@/lib/payments/card-providers/get-payment-provider";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetPaymentProvider, getPaymentProvider);
