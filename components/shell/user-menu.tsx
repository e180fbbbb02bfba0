"use client";

import { LazyOpen } from "@/components/data/lazy-open";
import { initials } from "@/components/shell/initials";
import type { ShellUser } from "@/components/shell/shell-types";
import { Avatar, AvatarFallback } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";

type UserMenuProps = { user: ShellUser; onSignOut: () => void | Promise<void> };

const load = async () => (await import("@/components/shell/user-menu-content")).UserMenuContent;

/** The signed-in user with the role, a link to the settings, and sign-out. */
export function UserMenu(props: UserMenuProps) {
  return (
    <LazyOpen
      popup="menu"
      load={load}
      props={props}
      trigger={
        <Button variant="ghost" size="icon" className="rounded-full">
          <span className="sr-only">Signed in as {props.user.name}</span>
          <Avatar className="size-7" aria-hidden="true">
            <AvatarFallback className="bg-primary text-[0.6875rem] text-primary-foreground">
              {initials(props.user.name)}
            </AvatarFallback>
          </Avatar>
        </Button>
      }
    />
  );
}
