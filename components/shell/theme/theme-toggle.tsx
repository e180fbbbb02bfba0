"use client";

import { Moon, Sun } from "lucide-react";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/shell/theme/theme-menu")).ThemeMenu;

/** Selects the light, dark or system theme. */
export function ThemeToggle() {
  return (
    <LazyOpen
      popup="menu"
      load={load}
      props={{}}
      trigger={
        <Button variant="ghost" size="icon" aria-label="Theme">
          <Sun className="dark:hidden" />
          <Moon className="hidden dark:block" />
        </Button>
      }
    />
  );
}
