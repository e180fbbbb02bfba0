import { QUICK_REACTIONS } from "@/components/chats/bubble/reaction-groups";
import type { Sign } from "@/components/chats/bubble/use-react";
import { DropdownMenuGroup, DropdownMenuItem } from "@/components/ui/dropdown-menu";
import { cn } from "@/lib/cn";
import type { Reaction } from "@/lib/messaging/reactions/reaction";

type QuickReactionsProps = {
  /** The type of the person's own reaction; null for none. */
  own: Reaction["type"] | null;
  onReact: (sign: Sign) => unknown;
};

/** The six standard reactions in one menu row. The person's own is marked; choosing it again removes it. */
export function QuickReactions({ own, onReact }: QuickReactionsProps) {
  return (
    <DropdownMenuGroup aria-label="React" className="flex gap-0.5 p-0.5">
      {QUICK_REACTIONS.map(({ type, name, emoji }) => (
        <DropdownMenuItem
          key={type}
          aria-label={own === type ? `Remove ${name}` : name}
          title={name}
          className={cn("size-8 justify-center p-0 pointer-coarse:size-10", own === type && "bg-secondary")}
          onSelect={() => void onReact({ type, emoji: null })}
        >
          <span aria-hidden="true" className="text-base">
            {emoji}
          </span>
        </DropdownMenuItem>
      ))}
    </DropdownMenuGroup>
  );
}
