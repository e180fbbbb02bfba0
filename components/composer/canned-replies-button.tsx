"use client";

import { MessageSquareQuote } from "lucide-react";
import type { CannedRepliesProps } from "@/components/composer/canned-replies";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/composer/canned-replies")).CannedReplies;

/** Opens the menu of canned replies. */
export function CannedRepliesButton(props: CannedRepliesProps) {
  return (
    <LazyOpen
      popup="menu"
      load={load}
      props={props}
      trigger={
        <Button variant="ghost" size="icon-sm" aria-label="Canned replies" title="Canned replies">
          <MessageSquareQuote />
        </Button>
      }
    />
  );
}
