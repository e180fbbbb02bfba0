import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { accountsKey } from "@/components/accounts/accounts-key";

/** Reloads the list of accounts, and the account switcher, which the server renders. */
export function useAccountsChanged(): () => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async () => {
    router.refresh();
    await queryClient.invalidateQueries({ queryKey: accountsKey });
  };
}
