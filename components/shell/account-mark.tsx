import { initials } from "@/components/shell/initials";
import { cn } from "@/lib/cn";
import type { AccountColor } from "@/lib/identity/accounts/account-color";

const COLORS: Record<AccountColor, string> = {
  blue: "bg-account-blue",
  teal: "bg-account-teal",
  violet: "bg-account-violet",
  green: "bg-account-green",
  pink: "bg-account-pink",
  orange: "bg-account-orange",
  red: "bg-account-red",
  amber: "bg-account-amber",
};

type AccountMarkProps = { name: string; color: AccountColor; isArchived?: boolean };

/** The initials of an account on the account's color. Decorative: the name is always beside it. */
export function AccountMark({ name, color, isArchived = false }: AccountMarkProps) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        "flex size-5.5 shrink-0 items-center justify-center rounded-[5px] font-semibold text-[0.625rem] text-white",
        COLORS[color],
        isArchived && "grayscale",
      )}
    >
      {initials(name)}
    </span>
  );
}
