"use client";

import { LogOut, UserCog } from "lucide-react";
import Link from "next/link";
import { useTransition } from "react";
import { toast } from "sonner";
import { initials } from "@/components/shell/initials";
import type { ShellUser } from "@/components/shell/shell-types";
import { Avatar, AvatarFallback } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
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

type UserMenuProps = { user: ShellUser; onSignOut: () => void | Promise<void> };

/** The signed-in user with the role, a link to the settings, and sign-out. */
export function UserMenu({ user, onSignOut }: UserMenuProps) {
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
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon" className="rounded-full">
          <span className="sr-only">Signed in as {user.name}</span>
          <Avatar className="size-7" aria-hidden="true">
            <AvatarFallback className="bg-primary text-[0.6875rem] text-primary-foreground">
              {initials(user.name)}
            </AvatarFallback>
          </Avatar>
        </Button>
      </DropdownMenuTrigger>
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
            Password and sessions
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
