"use client";

import { Search } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";

function subscribeNever(): () => void {
  return () => {};
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}

type PaletteButtonProps = { onOpen: () => void; label?: string };

/** Opens the command palette, or another palette with the same keyboard shortcut, which the button shows. */
export function PaletteButton({ onOpen, label = "Search or jump to" }: PaletteButtonProps) {
  const apple = useSyncExternalStore(subscribeNever, isApple, () => false);
  return (
    <>
      <Button
        variant="outline"
        onClick={onOpen}
        aria-keyshortcuts="Control+K Meta+K"
        className="hidden w-52 justify-between pr-1.5 pl-2.5 font-normal text-muted-foreground md:inline-flex"
      >
        <span className="flex items-center gap-2">
          <Search />
          {label}…
        </span>
        <Kbd>{apple ? "⌘K" : "Ctrl K"}</Kbd>
      </Button>
      <Button variant="ghost" size="icon" onClick={onOpen} aria-label={label} className="md:hidden">
        <Search />
      </Button>
    </>
  );
}
