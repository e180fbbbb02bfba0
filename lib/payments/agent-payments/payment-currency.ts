import { z } from "zod";

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** An ISO 4217 currency in lowercase. */
export const PaymentCurrency = z
  .string()
  .refine((code) => CURRENCIES.has(code.toUpperCase()), "must be an ISO 4217 currency code such as usd")
  .transform((code) => code.toLowerCase());
