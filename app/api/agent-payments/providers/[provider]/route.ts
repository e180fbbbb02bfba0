import {
  ConnectPaymentProvider,
  connectPaymentProvider,
} from "@/lib/payments/card-providers/connect-payment-provider";
import {
  DisablePaymentProvider,
  disablePaymentProvider,
} from "@/lib/payments/card-providers/disable-payment-provider";
import { GetPaymentProvider, getPaymentProvider } from "@/lib/payments/card-providers/get-payment-provider";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetPaymentProvider, getPaymentProvider, authenticateSession);
export const POST = endpoint(ConnectPaymentProvider, connectPaymentProvider, authenticateSession);
export const DELETE = endpoint(DisablePaymentProvider, disablePaymentProvider, authenticateSession);
