/** What a killed process had in hand comes back sooner than it would in production. */
export const SHORT_LEASES = { LEASE_SECONDS: "11" };
