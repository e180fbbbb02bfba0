/** Settings for an instance that gets more messages, requests and connections than people and programs would open. */
export const WITHOUT_LIMITS = {
  SANDBOX_DAILY_MESSAGES: "0",
  PAIR_MESSAGES: "0",
  REQUESTS_PER_MINUTE: "0",
  CONNECTIONS_PER_ADDRESS: "0",
};
