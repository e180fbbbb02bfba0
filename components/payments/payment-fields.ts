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
