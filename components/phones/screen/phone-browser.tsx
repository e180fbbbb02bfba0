"use client";

import { Lock, X } from "lucide-react";
import { Button } from "@/components/ui/button";

type PhoneBrowserProps = { phoneName: string; url: string; onClose: () => void };

/** The phone's browser with a page of this instance: the checkout or the wallet. */
export function PhoneBrowser({ phoneName, url, onClose }: PhoneBrowserProps) {
  return (
    <section aria-label="Browser" className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center gap-2 border-b px-3 py-2">
        <Button variant="ghost" size="sm" onClick={onClose}>
          <X />
          Close page
        </Button>
        <span className="flex min-w-0 flex-1 items-center justify-center gap-1 rounded-full bg-muted px-3 py-1 text-muted-foreground text-xs">
          <Lock className="size-3 shrink-0" aria-hidden="true" />
          <span className="truncate">{url.replace(/\?.*/, "")}</span>
        </span>
      </div>
      <iframe
        title={`Page on ${phoneName}`}
        src={url}
        allow="publickey-credentials-get; publickey-credentials-create"
        className="min-h-0 w-full flex-1 bg-background"
      />
    </section>
  );
}
