"use client";

import { CopyButton } from "@/components/data/copy-button";
import { Timestamp } from "@/components/data/timestamp";
import { Button } from "@/components/ui/button";
import { DialogDescription, DialogFooter, DialogHeader, DialogTitle } from "@/components/ui/dialog";

export type PasswordLink = { url: string; expires_at: string };

type ShownLinkProps = { name: string; link: PasswordLink; onDone: () => void };

/** A one-time link that sets a password, the only time it is shown. */
export function ShownLink({ name, link, onDone }: ShownLinkProps) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <DialogHeader>
        <DialogTitle>Send this link to {name}</DialogTitle>
        <DialogDescription>
          It sets a password, works once, and is not shown again. Anyone who has the link can use it, so send
          it over a private channel.
        </DialogDescription>
      </DialogHeader>
      <div className="flex items-center justify-between gap-2 rounded-lg border bg-muted/60 py-2 pr-2 pl-3.5">
        <code data-testid="password-link" className="wrap-anywhere font-mono text-xs">
          {link.url}
        </code>
        <CopyButton value={link.url} label="link" variant="outline" size="icon-sm" autoFocus />
      </div>
      <p className="text-muted-foreground text-xs">
        Expires <Timestamp value={link.expires_at} format="moment" />
      </p>
      <DialogFooter>
        <Button onClick={onDone}>Done</Button>
      </DialogFooter>
    </div>
  );
}
