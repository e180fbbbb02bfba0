/** The events that create or change a payment request. */
export const PAYMENT_TYPES = [
  "payment_request.requested",
  "payment_request.opened",
  "payment_request.attempted",
  "payment_request.declined",
  "payment.succeeded",
  "payment.canceled",
  "payment.expired",
];
