/** Shorter leases than in production, so that work of a killed process is claimed again soon. */
export const SHORT_LEASES = { LEASE_SECONDS: "11" };
