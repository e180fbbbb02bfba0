import { QUICK_REACTIONS } from "@/components/chats/reaction-groups";
import { ownReaction, type Sign } from "@/components/chats/use-react";
import { DropdownMenuGroup, DropdownMenuItem } from "@/components/ui/dropdown-menu";
import { cn } from "@/lib/cn";
import type { Reaction } from "@/lib/messaging/reactions/reaction";

type QuickReactionsProps = {
  reactions: readonly Reaction[] | null;
  onReact: (sign: Sign) => Promise<boolean>;
};

/** The six standard reactions in one menu row. The line's own is marked; choosing it again removes it. */
export function QuickReactions({ reactions, onReact }: QuickReactionsProps) {
  const own = ownReaction(reactions);
  return (
    <DropdownMenuGroup aria-label="React" className="flex gap-0.5 p-0.5">
      {QUICK_REACTIONS.map(({ type, name, emoji }) => (
        <DropdownMenuItem
          key={type}
          aria-label={own?.type === type ? `Remove ${name}` : name}
          title={name}
          className={cn(
            "size-8 justify-center p-0 pointer-coarse:size-10",
            own?.type === type && "bg-secondary",
          )}
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
