import { useState } from "react";

/** The open state of a dialog and its setter. `reset` clears the last result each time the dialog opens. `isOpen` is the first state. */
export function useFreshDialog(reset: () => void, isOpen = false): [boolean, (open: boolean) => void] {
  const [open, setOpen] = useState(isOpen);

  function onOpenChange(next: boolean): void {
    setOpen(next);
    if (next) reset();
  }

  return [open, onOpenChange];
}
