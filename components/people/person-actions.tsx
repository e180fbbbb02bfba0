"use client";

import { useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { ConfirmAction } from "@/components/data/dialogs/confirm-action";
import { untilLoaded } from "@/components/data/until-loaded";
import type { PasswordLink } from "@/components/people/link-reveal";
import { peopleKey } from "@/components/people/people-key";
import { apiFetch } from "@/lib/client/api-fetch";
import type { Person } from "@/lib/identity/users/person";

type Reset = { link: PasswordLink | null };

type Sent = { link: PasswordLink | null; accept_link: PasswordLink | null };

const LinkDialog = dynamic(
  () => untilLoaded(async () => (await import("@/components/people/link-dialog")).LinkDialog),
  {
    loading: () => null,
  },
);

/** The actions of an admin for a member or an invited person. */
export function PersonActions({ person }: { person: Person }) {
  return person.invitation === null ? <MemberActions person={person} /> : <InvitedActions person={person} />;
}

/** Resets a person's password, removes the person's passkeys, ends the person's sessions, or removes the person; each after a confirmation. */
function MemberActions({ person }: { person: Person }) {
  const queryClient = useQueryClient();
  const [link, setLink] = useState<PasswordLink | null>(null);
  const reload = () => queryClient.invalidateQueries({ queryKey: peopleKey });
  return (
    <div className="flex flex-wrap justify-end gap-2">
      {person.can_reset && (
        <ConfirmAction
          label="Reset password"
          name={`Reset password of ${person.name}`}
          icon={null}
          title={`Reset the password of ${person.name}?`}
          description="The password and the passkeys stop working and the person is signed out. The person sets a new password with a one-time link: by email, or you get the link if this instance sends no email."
          confirm="Reset password"
          keep="Cancel"
          done="The password was reset"
          failed="The password was not reset"
          action={async () => {
            const answer = await apiFetch<Reset>(`/api/people/${person.id}/password-reset`, {
              method: "POST",
            });
            setLink(answer.link);
            await reload();
          }}
        />
      )}
      {person.can_reset && person.has_passkey && (
        <ConfirmAction
          label="Remove passkeys"
          name={`Remove passkeys of ${person.name}`}
          icon={null}
          title={`Remove the passkeys of ${person.name}?`}
          description="For a person who lost them. The person is signed out, signs in with the password and can add a passkey. Without a password, also reset the password."
          confirm="Remove passkeys"
          keep="Cancel"
          done="The passkeys were removed"
          failed="The passkeys were not removed"
          action={async () => {
            await apiFetch(`/api/people/${person.id}/passkeys`, { method: "DELETE" });
            await reload();
          }}
        />
      )}
      <ConfirmAction
        label="Sign out"
        name={`Sign out ${person.name}`}
        icon={null}
        title={`Sign ${person.name} out?`}
        description="The person must sign in again before they can open an account of this partner."
        confirm="Sign out"
        keep="Cancel"
        done={`${person.name} was signed out`}
        failed="The sessions were not ended"
        action={() => apiFetch(`/api/people/${person.id}/sessions`, { method: "DELETE" })}
      />
      {!person.from_group && (
        <ConfirmAction
          label="Remove"
          name={`Remove ${person.name}`}
          icon={null}
          title={`Remove ${person.name}?`}
          description="The person immediately loses access to every account of this partner. API tokens that they created keep working."
          confirm="Remove person"
          keep="Cancel"
          done={`${person.name} was removed`}
          failed="The person was not removed"
          action={async () => {
            await apiFetch(`/api/people/${person.id}`, { method: "DELETE" });
            await reload();
          }}
        />
      )}
      {link && <LinkDialog name={person.name} link={link} onClose={() => setLink(null)} />}
    </div>
  );
}

/** Sends an invitation again, or cancels it. */
function InvitedActions({ person }: { person: Person }) {
  const queryClient = useQueryClient();
  const [sent, setSent] = useState<Sent>();
  const reload = () => queryClient.invalidateQueries({ queryKey: peopleKey });
  const link = sent?.link ?? sent?.accept_link ?? null;
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <ConfirmAction
        label="Send again"
        name={`Send again: the invitation of ${person.name}`}
        icon={null}
        title={`Send the invitation of ${person.name} again?`}
        description="The person gets a new link, which works for 24 hours. The earlier link stops working."
        confirm="Send again"
        keep="Cancel"
        done="The invitation was sent again"
        failed="The invitation was not sent"
        action={async () => {
          setSent(await apiFetch<Sent>(`/api/people/${person.id}/invitation`, { method: "POST" }));
          await reload();
        }}
      />
      <ConfirmAction
        label="Cancel invitation"
        name={`Cancel invitation of ${person.name}`}
        icon={null}
        title={`Cancel the invitation of ${person.name}?`}
        description="Its link stops working, and the person can no longer accept it."
        confirm="Cancel invitation"
        keep="Keep invitation"
        done="The invitation was canceled"
        failed="The invitation was not canceled"
        action={async () => {
          await apiFetch(`/api/people/${person.id}`, { method: "DELETE" });
          await reload();
        }}
      />
      {sent && link && (
        <LinkDialog
          name={person.name}
          link={link}
          setsPassword={sent.link !== null}
          onClose={() => setSent(undefined)}
        />
      )}
    </div>
  );
}
