import { askToLeave } from "@/components/composer/ask-to-leave";
import { clearStoredData } from "@/components/shell/clear-stored-data";
import { apiFetch } from "@/lib/client/api-fetch";

/**
 * Ends the session, forgets what this browser stored, and goes to the sign-in page. Asks first if messages were not sent;
 * false if the user wants to stay.
 */
export async function signOut(sender: string): Promise<boolean> {
  if (!(await askToLeave(sender, "Sign out"))) return false;
  await apiFetch("/api/session", { method: "DELETE" });
  clearStoredData();
  location.assign("/sign-in");
  return true;
}
