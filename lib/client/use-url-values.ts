import { useRouter } from "next/navigation";
import { useOptimistic, useTransition } from "react";

/**
 * Values that a page has in its URL. `show` navigates to `hrefOf` other values and keeps the scroll position. `values` are
 * the chosen ones at once, so that a second change keeps the first one, also while the page is still loading.
 */
export function useUrlValues<Values>(loaded: Values, hrefOf: (values: Values) => string) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const [values, choose] = useOptimistic(loaded);

  function show(next: Values): void {
    startTransition(() => {
      choose(next);
      router.replace(hrefOf(next), { scroll: false });
    });
  }

  return { values, isPending, show };
}
