import { useState } from "react";

/** The open state of a dialog and its setter. `reset` clears the last result each time the dialog opens. */
export function useFreshDialog(reset: () => void): [boolean, (open: boolean) => void] {
  const [open, setOpen] = useState(false);

  function onOpenChange(next: boolean): void {
    setOpen(next);
    if (next) reset();
  }

  return [open, onOpenChange];
}
