"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { UsersRound } from "lucide-react";
import { type FormEvent, useState } from "react";
import { ConfirmAction } from "@/components/data/dialogs/confirm-action";
import { EmptyState } from "@/components/data/empty-state";
import { FailureNote } from "@/components/data/failure-note";
import { ROLES } from "@/components/people/role-names";
import { OptionSelect } from "@/components/settings/option-select";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { GroupRole } from "@/lib/identity/sso/group-roles";

type GroupRolesProps = {
  initial: { groups: GroupRole[] };
  /** The name of the instance's single sign-on. */
  ssoName: string;
};

const groupsKey = ["/api/people/groups"];

/** The groups of the identity provider whose members have access to the partner, with their roles. */
export function GroupRoles({ initial, ssoName }: GroupRolesProps) {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery<{ groups: GroupRole[] }, ApiFailure>({
    queryKey: groupsKey,
    queryFn: ({ signal }) => apiFetch("/api/people/groups", { signal }),
    initialData: initial,
  });
  const reload = () => queryClient.invalidateQueries({ queryKey: groupsKey });
  return (
    <Card>
      <CardHeader>
        <CardTitle>Groups</CardTitle>
        <CardDescription>
          Members of these groups at {ssoName} have access without an invitation. A member of several groups
          gets the most privileged role. A person who leaves all groups is signed out.
        </CardDescription>
      </CardHeader>
      <CardContent className="flex flex-col gap-5">
        <FailureNote title="This list may be out of date" failure={error} onRetry={() => void refetch()} />
        {data.groups.length === 0 ? (
          <EmptyState
            icon={UsersRound}
            title="No groups yet"
            description="Groups whose members have access appear here. Add one below."
          />
        ) : (
          <ul aria-label="Groups" className="divide-y">
            {data.groups.map(({ group, role }) => (
              <li key={group} className="flex flex-wrap items-center justify-between gap-3 py-3">
                <span className="flex min-w-0 flex-wrap items-center gap-2">
                  <span className="wrap-anywhere font-medium">{group}</span>
                  <Badge variant="neutral">{ROLES.find(({ value }) => value === role)?.label}</Badge>
                </span>
                <ConfirmAction
                  label="Remove"
                  name={`Remove ${group}`}
                  icon={null}
                  title={`Remove the group “${group}”?`}
                  description="Members without another group lose their access and are signed out within five minutes."
                  confirm="Remove group"
                  keep="Cancel"
                  done="The group was removed"
                  failed="The group was not removed"
                  action={() => apiFetch("/api/people/groups", { method: "DELETE", body: { group } })}
                  onDone={reload}
                />
              </li>
            ))}
          </ul>
        )}
        <AddGroup onAdded={reload} />
      </CardContent>
    </Card>
  );
}

function AddGroup({ onAdded }: { onAdded: () => void }) {
  const [added, setAdded] = useState<GroupRole>({ group: "", role: "viewer" });
  const save = useMutation<unknown, ApiFailure, GroupRole>({
    mutationFn: (body) => apiFetch("/api/people/groups", { method: "PUT", body }),
    onSuccess: () => {
      setAdded({ ...added, group: "" });
      onAdded();
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate({ ...added, group: added.group.trim() });
  }

  return (
    <form onSubmit={submit} aria-label="Add a group" className="flex flex-col gap-4 border-t pt-5">
      <FailureNote title="The group was not added" failure={save.error} />
      <Field>
        <FieldLabel>Group</FieldLabel>
        <FieldControl>
          <Input
            autoComplete="off"
            maxLength={255}
            value={added.group}
            onChange={({ target }) => setAdded({ ...added, group: target.value })}
          />
        </FieldControl>
        <FieldDescription>
          Exactly as the identity provider sends it in the groups claim. A group that is listed gets the new
          role.
        </FieldDescription>
      </Field>
      <OptionSelect
        name="Role"
        description={ROLES.find(({ value }) => value === added.role)?.description ?? ""}
        value={added.role}
        choices={ROLES}
        disabled={save.isPending}
        onChange={(role) =>
          setAdded({ ...added, role: ROLES.find(({ value }) => value === role)?.value ?? "viewer" })
        }
      />
      <Button type="submit" disabled={added.group.trim() === "" || save.isPending} className="self-start">
        {save.isPending && <Spinner />}
        Save group
      </Button>
    </form>
  );
}
