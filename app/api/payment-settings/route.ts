import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import {
  GetPaymentSettings,
  getPaymentSettings,
  UpdateBranding,
  updateBranding,
} from "@/lib/payments/checkout/payment-settings";

export const GET = endpoint(GetPaymentSettings, getPaymentSettings, authenticateSession);
export const PATCH = endpoint(UpdateBranding, updateBranding, authenticateSession);
