"use client";

import { useState } from "react";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { firstOnPhone } from "@/components/shell/navigation";
import type { ShellUser } from "@/components/shell/shell-types";
import { Sidebar } from "@/components/shell/sidebar";
import { Sheet, SheetContent, SheetTitle, SheetTrigger } from "@/components/ui/sheet";

/** The menu of narrow screens. */
export function NavigationSheet({ role, trigger }: LoadedPopup & { role: ShellUser["role"] }) {
  const [open, setOpen] = useState(true);
  return (
    <Sheet open={open} onOpenChange={setOpen}>
      <SheetTrigger asChild>{trigger}</SheetTrigger>
      <SheetContent side="left" className="gap-0 bg-sidebar" aria-describedby={undefined}>
        <SheetTitle className="sr-only">Menu</SheetTitle>
        <Sidebar onNavigate={() => setOpen(false)} first={firstOnPhone(role)} />
      </SheetContent>
    </Sheet>
  );
}
