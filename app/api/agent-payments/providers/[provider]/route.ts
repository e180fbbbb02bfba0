import {
  ConnectPaymentProvider,
  connectPaymentProvider,
} from "@/lib/agent-payments/connect-payment-provider";
import {
  DisablePaymentProvider,
  disablePaymentProvider,
} from "@/lib/agent-payments/disable-payment-provider";
import { GetPaymentProvider, getPaymentProvider } from "@/lib/agent-payments/get-payment-provider";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(GetPaymentProvider, getPaymentProvider, authenticateSession);
export const POST = endpoint(ConnectPaymentProvider, connectPaymentProvider, authenticateSession);
export const DELETE = endpoint(DisablePaymentProvider, disablePaymentProvider, authenticateSession);
