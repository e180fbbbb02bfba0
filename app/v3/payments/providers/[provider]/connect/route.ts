import { endpoint } from "@/lib/http/endpoint";
import {
  ConnectPaymentProvider,
  connectPaymentProvider,
} from "@/lib/payments/agent-payments/connect-payment-provider";

export const POST = endpoint(ConnectPaymentProvider, connectPaymentProvider);
