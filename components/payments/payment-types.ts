/** The events after which a payment request is another, or there is a new one. */
export const PAYMENT_TYPES = [
  "payment_request.requested",
  "payment_request.opened",
  "payment_request.attempted",
  "payment_request.declined",
  "payment.succeeded",
  "payment.canceled",
  "payment.expired",
];
