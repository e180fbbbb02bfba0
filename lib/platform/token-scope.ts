/** What a token may be restricted to. A token without scopes may do everything. */
export const TOKEN_SCOPES = ["messaging", "read_only", "payments"] as const;

export type TokenScope = (typeof TOKEN_SCOPES)[number];
