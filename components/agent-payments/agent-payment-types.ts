/** The events that create or change an agent payment or a customer's consent. */
export const AGENT_PAYMENT_TYPES = ["agent_payment.moved", "connection.created", "connection.revoked"];
