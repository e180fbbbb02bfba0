"use client";

import { CopyOnce } from "@/components/data/copy/copy-once";
import type { ShownSecret } from "@/components/data/dialogs/secret-dialog";
import { Timestamp } from "@/components/data/time/timestamp";
import { Button } from "@/components/ui/button";
import { DialogDescription, DialogFooter, DialogHeader, DialogTitle } from "@/components/ui/dialog";

export type PasswordLink = { url: string; expires_at: string };

/** The link as `SecretDialog` guards it. */
export function shownLink({ url }: PasswordLink, remedy: string): ShownSecret {
  return { value: url, label: "link", remedy };
}

type LinkRevealProps = {
  name: string;
  link: PasswordLink;
  /** false = the link leads a person who has an account to an invitation. */
  setsPassword?: boolean;
  onDone: () => void;
};

/** A one-time link that sets a password, or leads to an invitation. The link is shown only once. */
export function LinkReveal({ name, link, setsPassword = true, onDone }: LinkRevealProps) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <DialogHeader>
        <DialogTitle>Send this link to {name}</DialogTitle>
        <DialogDescription>
          {setsPassword
            ? "The link sets a password, works once and is not shown again. Anyone with the link can use it, so send it over a private channel."
            : "This address has an account. With the link, the person signs in and accepts the invitation. The link works once and is not shown again."}
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
