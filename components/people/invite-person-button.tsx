"use client";

import { UserPlus } from "lucide-react";
import { AddressedDialog } from "@/components/data/addressed-dialog";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/people/invite-person")).InvitePerson;

type InvitePersonButtonProps = {
  /** Whether `?dialog=invite` opens the form: not while the page is loading, because the button is replaced then. */
  isAddressed: boolean;
};

/** Opens the form that invites a person. `?dialog=invite` opens it, too. */
export function InvitePersonButton({ isAddressed }: InvitePersonButtonProps) {
  return (
    <AddressedDialog
      name={isAddressed ? "invite" : undefined}
      load={load}
      props={{}}
      trigger={
        <Button>
          <UserPlus />
          Invite person
        </Button>
      }
    />
  );
}
