"use client";

import { useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { ConfirmAction } from "@/components/data/confirm-action";
import type { PasswordLink } from "@/components/people/link-reveal";
import { peopleKey } from "@/components/people/people-key";
import { apiFetch } from "@/lib/client/api-fetch";
import type { Person } from "@/lib/identity/users/person";

type Reset = { link: PasswordLink; emailed: boolean };

const LinkDialog = dynamic(async () => (await import("@/components/people/link-dialog")).LinkDialog, {
  loading: () => null,
});

/** Resets a person's password, removes the person's passkeys, ends the person's sessions, or removes the person; each after a confirmation. */
export function PersonActions({ person }: { person: Person }) {
  const queryClient = useQueryClient();
  const [reset, setReset] = useState<Reset>();
  const reload = () => queryClient.invalidateQueries({ queryKey: peopleKey });
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <ConfirmAction
        label="Reset password"
        name={`Reset password of ${person.name}`}
        icon={null}
        title={`Reset the password of ${person.name}?`}
        description="The current password stops working and the person is signed out. Passkeys keep working. You get a one-time link that sets a new password."
        confirm="Reset password"
        keep="Cancel"
        done="The password was reset"
        failed="The password was not reset"
        action={async () => {
          const answer = await apiFetch<Reset>(`/api/people/${person.id}/password-reset`, {
            method: "POST",
          });
          setReset(answer);
          await reload();
        }}
      />
      {person.has_passkey && (
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
        name={`Sign out ${person.name} everywhere`}
        icon={null}
        title={`Sign ${person.name} out everywhere?`}
        description="Every session of this person ends. They can sign in again."
        confirm="Sign out everywhere"
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
      {reset && (
        <LinkDialog
          name={person.name}
          link={reset.link}
          emailed={reset.emailed}
          onClose={() => setReset(undefined)}
        />
      )}
    </div>
  );
}
