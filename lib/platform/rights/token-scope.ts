/** The scopes that restrict a token. A token without scopes has full access. */
export const TOKEN_SCOPES = ["messaging", "read_only", "payments"] as const;

export type TokenScope = (typeof TOKEN_SCOPES)[number];
