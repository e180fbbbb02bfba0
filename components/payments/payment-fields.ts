/** The form values of a new payment request. */
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
