import { AtSign } from "lucide-react";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";

type MentionMenuProps = {
  members: readonly string[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onMention: (handle: string) => void;
  /** Returns the focus to the message field. */
  onClosed: () => void;
};

/** Mentions a group member at the cursor, or links the selected words to the member. */
export function MentionMenu({ members, open, onOpenChange, onMention, onClosed }: MentionMenuProps) {
  return (
    <DropdownMenu open={open} onOpenChange={onOpenChange}>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon-sm" aria-label="Mention" title="Mention (@)">
          <AtSign />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent
        align="start"
        side="top"
        className="max-h-72"
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          onClosed();
        }}
      >
        <DropdownMenuLabel>Mention</DropdownMenuLabel>
        {members.map((handle) => (
          <DropdownMenuItem key={handle} className="tabular-nums" onSelect={() => onMention(handle)}>
            {handle}
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
