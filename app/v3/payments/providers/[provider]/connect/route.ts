import {
  ConnectPaymentProvider,
  connectPaymentProvider,
} from "@/lib/agent-payments/connect-payment-provider";
import { endpoint } from "@/lib/http/endpoint";

export const POST = endpoint(ConnectPaymentProvider, connectPaymentProvider);
