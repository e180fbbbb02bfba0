import { useState } from "react";

/** Whether a dialog is open, and how to open or close it. Each opening begins anew: `reset` forgets the last outcome. */
export function useFreshDialog(reset: () => void): [boolean, (open: boolean) => void] {
  const [open, setOpen] = useState(false);

  function onOpenChange(next: boolean): void {
    setOpen(next);
    if (next) reset();
  }

  return [open, onOpenChange];
}
