"use client";

import { SecretDialog } from "@/components/data/dialogs/secret-dialog";
import { LinkReveal, type PasswordLink, shownLink } from "@/components/people/link-reveal";

type LinkDialogProps = { name: string; link: PasswordLink; setsPassword?: boolean; onClose: () => void };

/** Shows a person's one-time link. */
export function LinkDialog({ name, link, setsPassword, onClose }: LinkDialogProps) {
  return (
    <SecretDialog
      open
      onOpenChange={(open) => !open && onClose()}
      secret={shownLink(link, "Reset the password, or send the invitation again, to get a new link.")}
      className="sm:max-w-xl"
    >
      <LinkReveal name={name} link={link} setsPassword={setsPassword} onDone={onClose} />
    </SecretDialog>
  );
}
