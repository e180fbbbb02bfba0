"use client";

import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";

const SHORTCUTS = [
  { keys: ["Ctrl K", "⌘K"], joint: "or", action: "Search or jump to" },
  { keys: ["/"], joint: "", action: "Search this list, or everything" },
  { keys: ["?"], joint: "", action: "Show this list" },
  { keys: ["J", "K"], joint: "", action: "Move down or up a list" },
  { keys: ["Enter"], joint: "", action: "Open the selected row" },
  { keys: ["E", "S"], joint: "", action: "Close or snooze chats" },
  { keys: ["A", "R"], joint: "", action: "Assign chats, or reply in the open one" },
  { keys: ["X", "Shift J"], joint: "", action: "Select a chat, or one more" },
  { keys: ["P"], joint: "", action: "Pause or resume the live events" },
  { keys: ["O", "D"], joint: "", action: "Opt the person out or dismiss a possible opt-out" },
  { keys: ["Esc"], joint: "", action: "Close a dialog or a panel" },
];

type ShortcutsDialogProps = { onOpenChange: (open: boolean) => void };

/** The list of keyboard shortcuts. Open while mounted. */
export function ShortcutsDialog({ onOpenChange }: ShortcutsDialogProps) {
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>Keyboard shortcuts</DialogTitle>
          <DialogDescription>Shortcuts don't apply while you type in a field.</DialogDescription>
        </DialogHeader>
        <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2.5">
          {SHORTCUTS.map(({ keys, joint, action }) => (
            <div key={action} className="col-span-2 grid grid-cols-subgrid items-center">
              <dt className="flex items-center gap-1.5">
                {keys.map((key, at) => (
                  <span key={key} className="flex items-center gap-1.5">
                    {at > 0 && joint !== "" && <span className="text-muted-foreground text-xs">{joint}</span>}
                    <Kbd>{key}</Kbd>
                  </span>
                ))}
              </dt>
              <dd>{action}</dd>
            </div>
          ))}
        </dl>
      </DialogContent>
    </Dialog>
  );
}
