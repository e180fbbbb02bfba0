/** The events after which an agent payment or a customer's consent is another, or there is a new one. */
export const AGENT_PAYMENT_TYPES = ["agent_payment.moved", "connection.created", "connection.revoked"];
