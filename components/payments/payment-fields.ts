/** A currency payments can be asked in, with the digits of its minor unit. */
export type OfferedCurrency = { code: string; digits: number };

/** A new payment request as it is typed. */
export type PaymentFields = {
  mode: string;
  amount: string;
  currency: string;
  priceId: string;
  quantity: string;
  description: string;
  customerId: string;
  expiresHours: string;
  metadata: { name: string; value: string }[];
};
