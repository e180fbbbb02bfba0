/** Shorter leases than in production, so that the work of a killed process is soon claimed again. */
export const SHORT_LEASES = { LEASE_SECONDS: "11" };
