"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmAction } from "@/components/data/confirm-action";
import { LinkReveal, type PasswordLink } from "@/components/people/link-reveal";
import { peopleKey } from "@/components/people/people-key";
import { Dialog, DialogContent } from "@/components/ui/dialog";
import { apiFetch } from "@/lib/client/api-fetch";
import type { Person } from "@/lib/identity/users/person";

/** Resets a person's password, ends the person's sessions, or removes the person; each after a confirmation. */
export function PersonActions({ person }: { person: Person }) {
  const queryClient = useQueryClient();
  const [link, setLink] = useState<PasswordLink>();
  const reload = () => queryClient.invalidateQueries({ queryKey: peopleKey });
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <ConfirmAction
        label="Reset password"
        name={`Reset the password of ${person.name}`}
        icon={null}
        title={`Reset the password of ${person.name}?`}
        description="The current password stops working and the person is signed out. You get a one-time link that sets a new password."
        confirm="Reset password"
        keep="Cancel"
        done="The password was reset"
        failed="The password was not reset"
        action={async () => {
          const answer = await apiFetch<{ link: PasswordLink }>(`/api/people/${person.id}/password-reset`, {
            method: "POST",
          });
          setLink(answer.link);
          await reload();
        }}
      />
      <ConfirmAction
        label="Sign out"
        name={`Sign ${person.name} out everywhere`}
        icon={null}
        title={`Sign ${person.name} out everywhere?`}
        description="Every session of this person ends. They can sign in again."
        confirm="Sign out everywhere"
        keep="Cancel"
        done={`${person.name} was signed out`}
        failed="The sessions were not ended"
        action={() => apiFetch(`/api/people/${person.id}/sessions`, { method: "DELETE" })}
      />
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
      <Dialog open={link !== undefined} onOpenChange={(open) => !open && setLink(undefined)}>
        <DialogContent className="sm:max-w-xl">
          {link && <LinkReveal name={person.name} link={link} onDone={() => setLink(undefined)} />}
        </DialogContent>
      </Dialog>
    </div>
  );
}
