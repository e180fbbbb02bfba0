/** The colors of the marks of accounts, in the order in which new accounts of a partner get them. */
export const ACCOUNT_COLORS = ["blue", "teal", "violet", "green", "pink", "orange", "red", "amber"] as const;

export type AccountColor = (typeof ACCOUNT_COLORS)[number];

/** The color of an account: the chosen one, else one that follows from the account's id. */
export function accountColor({ id, color }: { id: string; color: string | null }): AccountColor {
  const chosen = ACCOUNT_COLORS.find((one) => one === color);
  if (chosen !== undefined) return chosen;
  const index = Number.parseInt(id.slice(-6), 16) % ACCOUNT_COLORS.length;
  return ACCOUNT_COLORS[Number.isNaN(index) ? 0 : index] ?? "blue";
}
