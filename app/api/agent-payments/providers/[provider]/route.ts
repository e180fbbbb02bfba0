import {
  ConnectPaymentProvider,
  connectPaymentProvider,
} from "@/lib/payments/agent-payments/connect-payment-provider";
import {
  DisablePaymentProvider,
  disablePaymentProvider,
} from "@/lib/payments/agent-payments/disable-payment-provider";
import { GetPaymentProvider, getPaymentProvider } from "@/lib/payments/agent-payments/get-payment-provider";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetPaymentProvider, getPaymentProvider, authenticateSession);
export const POST = endpoint(ConnectPaymentProvider, connectPaymentProvider, authenticateSession);
export const DELETE = endpoint(DisablePaymentProvider, disablePaymentProvider, authenticateSession);
