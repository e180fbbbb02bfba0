import { askToLeave } from "@/components/composer/ask-to-leave";
import { clearStoredData } from "@/components/shell/clear-stored-data";
import { apiFetch } from "@/lib/client/api-fetch";

/**
 * Ends the session (`end`), forgets what this browser stored, and goes to the sign-in page. Asks first if messages were not
 * sent; false if the user wants to stay. `sender`: null where the page does not know its user. Throws what `end` throws.
 */
export async function signOut(
  sender: string | null,
  end: () => Promise<unknown> = () => apiFetch("/api/session", { method: "DELETE" }),
  signInPage = "/sign-in",
): Promise<boolean> {
  if (!(await askToLeave(sender, "Sign out"))) return false;
  await end();
  clearStoredData(sender);
  location.assign(signInPage);
  return true;
}
