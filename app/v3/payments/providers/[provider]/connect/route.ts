import {
  ConnectPaymentProvider,
  connectPaymentProvider,
} from "@/lib/payments/card-providers/connect-payment-provider";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(ConnectPaymentProvider, connectPaymentProvider);
