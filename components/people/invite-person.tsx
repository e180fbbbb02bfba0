"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { SecretDialog } from "@/components/data/dialogs/secret-dialog";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import { FailureNote } from "@/components/data/failure-note";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { LinkReveal, type PasswordLink, shownLink } from "@/components/people/link-reveal";
import { peopleKey } from "@/components/people/people-key";
import { ROLES } from "@/components/people/role-names";
import { OptionSelect } from "@/components/settings/option-select";
import { Button } from "@/components/ui/button";
import { DialogDescription, DialogFooter, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { Field, FieldControl, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

type Invitation = { email: string; name: string; role: string };
type Invited = {
  id: string;
  link: PasswordLink | null;
  accept_link: PasswordLink | null;
  emailed: boolean;
  signs_in_with: string | null;
};

/** Asks for the email address, name and role, then shows the one-time link. */
export function InvitePerson({ trigger }: LoadedPopup) {
  const queryClient = useQueryClient();
  const invite = useMutation<Invited, ApiFailure, Invitation>({
    mutationFn: (body) => apiFetch("/api/people", { method: "POST", body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: peopleKey }),
  });
  const [open, onOpenChange] = useFreshDialog(invite.reset, true);

  return (
    <SecretDialog
      open={open}
      onOpenChange={onOpenChange}
      trigger={trigger}
      secret={linkOf(invite.data)}
      className="sm:max-w-xl"
    >
      {invite.data ? (
        <Outcome name={invite.variables.name} invited={invite.data} onDone={() => onOpenChange(false)} />
      ) : (
        <InvitationForm
          pending={invite.isPending}
          failure={invite.error}
          onInvite={(invitation) => invite.mutate(invitation)}
        />
      )}
    </SecretDialog>
  );
}

function linkOf(invited: Invited | undefined) {
  const link = invited?.link ?? invited?.accept_link;
  return link ? shownLink(link, "Send the invitation again to get a new link.") : null;
}

type OutcomeProps = { name: string; invited: Invited; onDone: () => void };

/** The next step of the inviter: to pass on a link, or nothing. */
export function Outcome({ name, invited, onDone }: OutcomeProps) {
  if (invited.link !== null) return <LinkReveal name={name} link={invited.link} onDone={onDone} />;
  if (invited.accept_link !== null) {
    return <LinkReveal name={name} link={invited.accept_link} setsPassword={false} onDone={onDone} />;
  }
  return (
    <>
      <DialogHeader>
        <DialogTitle>{name} is invited</DialogTitle>
        <DialogDescription>
          {invited.emailed
            ? "Trunkline sends the invitation by email. It can be accepted within 24 hours."
            : `This person signs in with ${invited.signs_in_with} and accepts the invitation within 24 hours. Tell them the URL of the dashboard.`}
        </DialogDescription>
      </DialogHeader>
      <DialogFooter>
        <Button onClick={onDone}>Done</Button>
      </DialogFooter>
    </>
  );
}

type InvitationFormProps = {
  pending: boolean;
  failure: ApiFailure | null;
  onInvite: (invitation: Invitation) => void;
};

function InvitationForm({ pending, failure, onInvite }: InvitationFormProps) {
  const [invitation, setInvitation] = useState<Invitation>({ email: "", name: "", role: "viewer" });
  const set = (change: Partial<Invitation>) => setInvitation({ ...invitation, ...change });

  function submit(event: FormEvent): void {
    event.preventDefault();
    onInvite(invitation);
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <DialogHeader>
        <DialogTitle>Invite a person</DialogTitle>
        <DialogDescription>Until the person accepts, you see only what you enter here.</DialogDescription>
      </DialogHeader>
      <FailureNote title="The person was not invited" failure={failure} />
      <Field>
        <FieldLabel>Email</FieldLabel>
        <FieldControl>
          <Input
            type="email"
            autoComplete="off"
            required
            value={invitation.email}
            onChange={(event) => set({ email: event.target.value })}
          />
        </FieldControl>
      </Field>
      <Field>
        <FieldLabel>Name</FieldLabel>
        <FieldControl>
          <Input
            autoComplete="off"
            required
            maxLength={100}
            value={invitation.name}
            onChange={(event) => set({ name: event.target.value })}
          />
        </FieldControl>
      </Field>
      <OptionSelect
        name="Role"
        description={ROLES.find(({ value }) => value === invitation.role)?.description ?? ""}
        value={invitation.role}
        choices={ROLES}
        disabled={pending}
        onChange={(role) => set({ role })}
      />
      <DialogFooter>
        <Button type="submit" disabled={pending}>
          {pending && <Spinner />}
          Invite person
        </Button>
      </DialogFooter>
    </form>
  );
}
