"use client";

import { LogOut, UserCog } from "lucide-react";
import Link from "next/link";
import { useTransition } from "react";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { toast } from "@/components/data/toast";
import type { ShellUser } from "@/components/shell/shell-types";
import { Badge } from "@/components/ui/badge";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";

const roleNames: Record<ShellUser["role"], string> = {
  admin: "Admin",
  developer: "Developer",
  support: "Support",
  viewer: "Viewer",
};

type UserMenuContentProps = LoadedPopup & { user: ShellUser; onSignOut: () => void | Promise<void> };

/** The menu of the user button. */
export function UserMenuContent({ user, onSignOut, trigger }: UserMenuContentProps) {
  const [pending, startTransition] = useTransition();

  function signOut(): void {
    startTransition(async () => {
      try {
        await onSignOut();
      } catch {
        toast.error("You are still signed in", { description: "The server did not respond. Try again." });
      }
    });
  }

  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
      <DropdownMenuContent align="end" className="w-60">
        <div className="flex items-start justify-between gap-3 px-2 py-2">
          <div className="min-w-0">
            <p className="truncate font-medium text-sm">{user.name}</p>
            <p className="truncate text-muted-foreground text-xs">{user.email}</p>
          </div>
          <Badge variant="neutral">{roleNames[user.role]}</Badge>
        </div>
        <DropdownMenuSeparator />
        <DropdownMenuItem asChild>
          <Link href="/settings/sessions">
            <UserCog />
            Sign-in and sessions
          </Link>
        </DropdownMenuItem>
        <DropdownMenuItem disabled={pending} onSelect={signOut}>
          <LogOut />
          Sign out
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
