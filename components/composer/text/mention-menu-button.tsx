"use client";

import { AtSign } from "lucide-react";
import type { MentionMenuProps } from "@/components/composer/text/mention-menu";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/composer/text/mention-menu")).MentionMenu;

/** Opens the menu of group members. An @ in the message opens it, too. */
export function MentionMenuButton(props: MentionMenuProps) {
  return (
    <LazyOpen
      popup="menu"
      load={load}
      props={props}
      startsOpen={props.open}
      onOpen={() => props.onOpenChange(true)}
      trigger={
        <Button variant="ghost" size="icon-sm" aria-label="Mention" title="Mention (@)">
          <AtSign />
        </Button>
      }
    />
  );
}
