import {
  GetPaymentSettings,
  getPaymentSettings,
  UpdateBranding,
  updateBranding,
} from "@/lib/payments/checkout/payment-settings";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetPaymentSettings, getPaymentSettings, authenticateSession);
export const PATCH = endpoint(UpdateBranding, updateBranding, authenticateSession);
