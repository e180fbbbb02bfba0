import {
  ConnectPaymentProvider,
  connectPaymentProvider,
} from "@/lib/payments/agent-payments/connect-payment-provider";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(ConnectPaymentProvider, connectPaymentProvider);
