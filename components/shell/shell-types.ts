import type { AccountStatus } from "@/components/data/account-badge";
import type { AccountColor } from "@/lib/identity/accounts/account-color";

export type ShellUser = { name: string; email: string; role: "admin" | "developer" | "support" | "viewer" };
export type ShellPartner = { name: string };
export type ShellAccount = {
  id: string;
  name: string;
  environment: AccountStatus<"environment">;
  color: AccountColor;
  /** When the account was archived, RFC 3339; null = it is not. */
  archivedAt: string | null;
};
