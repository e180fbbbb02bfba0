"use client";

import { UserPlus } from "lucide-react";
import { AddressedDialog } from "@/components/data/dialogs/addressed-dialog";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/people/invite-person")).InvitePerson;

type InvitePersonButtonProps = {
  /** Until the page is loaded the button can't be used: the loaded page replaces it, and its form would be lost. */
  isLoaded: boolean;
};

/** Opens the form that invites a person. `?dialog=invite` opens it, too. */
export function InvitePersonButton({ isLoaded }: InvitePersonButtonProps) {
  const trigger = (
    <Button disabled={!isLoaded}>
      <UserPlus />
      Invite person
    </Button>
  );
  return isLoaded ? <AddressedDialog name="invite" load={load} props={{}} trigger={trigger} /> : trigger;
}
