"use client";

import { CopyOnce } from "@/components/data/copy-once";
import type { ShownSecret } from "@/components/data/secret-dialog";
import { Timestamp } from "@/components/data/timestamp";
import { Button } from "@/components/ui/button";
import { DialogDescription, DialogFooter, DialogHeader, DialogTitle } from "@/components/ui/dialog";

export type PasswordLink = { url: string; expires_at: string };

/** The link as `SecretDialog` guards it. */
export function shownLink({ url }: PasswordLink): ShownSecret {
  return { value: url, label: "link", remedy: "Reset the password to get a new link." };
}

type LinkRevealProps = {
  name: string;
  link: PasswordLink;
  /** Trunkline also sends the link by email. */
  emailed: boolean;
  onDone: () => void;
};

/** A one-time link that sets a password. The link is shown only once. */
export function LinkReveal({ name, link, emailed, onDone }: LinkRevealProps) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <DialogHeader>
        <DialogTitle>{emailed ? `${name} gets this link by email` : `Send this link to ${name}`}</DialogTitle>
        <DialogDescription>
          {emailed && "If the email does not arrive, send the link yourself. "}
          The link sets a password, works once and is not shown again. Anyone with the link can use it, so
          send it over a private channel.
        </DialogDescription>
      </DialogHeader>
      <CopyOnce value={link.url} label="link" testId="password-link" />
      <p className="text-muted-foreground text-xs">
        Expires <Timestamp value={link.expires_at} format="moment" />
      </p>
      <DialogFooter>
        <Button onClick={onDone}>Done</Button>
      </DialogFooter>
    </div>
  );
}
