import NotFoundInShell from "@/app/(dashboard)/not-found";
import NotFoundAlone from "@/app/not-found";
import { hasOpenAccount } from "@/lib/runtime/dashboard/current-session";

export default async function NotFound() {
  return (await hasOpenAccount()) ? <NotFoundInShell /> : <NotFoundAlone />;
}
