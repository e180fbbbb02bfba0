/** Settings for an instance that gets more messages and requests than people and programs would send. */
export const WITHOUT_LIMITS = { SANDBOX_DAILY_MESSAGES: "0", PAIR_MESSAGES: "0", REQUESTS_PER_MINUTE: "0" };
