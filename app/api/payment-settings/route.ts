import {
  GetPaymentSettings,
  getPaymentSettings,
  UpdateBranding,
  updateBranding,
} from "@/lib/checkout/payment-settings";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(GetPaymentSettings, getPaymentSettings, authenticateSession);
export const PATCH = endpoint(UpdateBranding, updateBranding, authenticateSession);
