"use client";

import { SecretDialog } from "@/components/data/secret-dialog";
import { LinkReveal, type PasswordLink, shownLink } from "@/components/people/link-reveal";

type LinkDialogProps = { name: string; link: PasswordLink; emailed: boolean; onClose: () => void };

/** Shows a person's one-time link. */
export function LinkDialog({ name, link, emailed, onClose }: LinkDialogProps) {
  return (
    <SecretDialog
      open
      onOpenChange={(open) => !open && onClose()}
      secret={shownLink(link)}
      className="sm:max-w-xl"
    >
      <LinkReveal name={name} link={link} emailed={emailed} onDone={onClose} />
    </SecretDialog>
  );
}
