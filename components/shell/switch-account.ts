import { apiFetch } from "@/lib/client/api-fetch";

/**
 * Switches the session to another account. Asks first if messages of the current one were not sent; false if the user wants
 * to stay. `sender`: the user in the current account (rights.tsx).
 */
export async function switchAccount(sender: string, accountId: string): Promise<boolean> {
  const { askToLeave } = await import("@/components/composer/ask-to-leave");
  if (!(await askToLeave(sender, "Switch the account"))) return false;
  await apiFetch("/api/session/account", { method: "PUT", body: { account_id: accountId } });
  return true;
}
