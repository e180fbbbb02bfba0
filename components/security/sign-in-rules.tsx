"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { FailureNote } from "@/components/data/failure-note";
import { toast } from "@/components/data/toast";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Switch } from "@/components/ui/switch";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

type Rule = "admins_need_passkey" | "requires_sso";

type SignInRules = Record<Rule, boolean> & {
  passkey_blocker: string | null;
  sso_name: string | null;
  admins_without_passkey: number;
};

const rulesKey = ["/api/people/sign-in-rules"];

/** How the people of the partner must sign in. Every change is saved immediately. */
export function SignInRules({ initial }: { initial: SignInRules }) {
  const queryClient = useQueryClient();
  const { data } = useQuery<SignInRules, ApiFailure>({
    queryKey: rulesKey,
    queryFn: ({ signal }) => apiFetch("/api/people/sign-in-rules", { signal }),
    initialData: initial,
  });
  const change = useMutation<unknown, ApiFailure, Partial<Record<Rule, boolean>>>({
    mutationFn: (body) => apiFetch("/api/people/sign-in-rules", { method: "PATCH", body }),
    onSuccess: () => toast.success("The sign-in rules were changed"),
    onSettled: () => queryClient.invalidateQueries({ queryKey: rulesKey }),
  });
  const rules: { rule: Rule; label: string; text: string; isBlocked: boolean }[] = [
    {
      rule: "admins_need_passkey",
      label: "Admins must use a passkey",
      text: passkeyText(data),
      isBlocked: data.passkey_blocker !== null,
    },
    {
      rule: "requires_sso",
      label: "Everyone must use single sign-on",
      text: ssoText(data),
      isBlocked: data.sso_name === null,
    },
  ];

  return (
    <Card>
      <CardHeader>
        <CardTitle>Sign-in rules</CardTitle>
        <CardDescription>These rules apply to all accounts of this partner.</CardDescription>
      </CardHeader>
      <CardContent className="flex flex-col gap-5">
        <FailureNote title="The rule was not changed" failure={change.error} />
        {rules.map(({ rule, label, text, isBlocked }) => (
          <Field key={rule} orientation="horizontal">
            <div className="flex min-w-0 flex-col gap-1">
              <FieldLabel>{label}</FieldLabel>
              <FieldDescription>{text}</FieldDescription>
            </div>
            <FieldControl>
              <Switch
                checked={(change.isPending ? change.variables[rule] : undefined) ?? data[rule]}
                disabled={change.isPending || (isBlocked && !data[rule])}
                onCheckedChange={(isOn) => change.mutate({ [rule]: isOn })}
              />
            </FieldControl>
          </Field>
        ))}
      </CardContent>
    </Card>
  );
}

function passkeyText({ passkey_blocker, admins_without_passkey: missing }: SignInRules): string {
  if (passkey_blocker !== null)
    return `${passkey_blocker.charAt(0).toUpperCase()}${passkey_blocker.slice(1)}.`;
  const rule = "A password alone doesn't open the accounts of this partner for an admin.";
  if (missing === 0) return `${rule} All admins have a passkey.`;
  const who = missing === 1 ? "1 admin has no passkey and is" : `${missing} admins have no passkey and are`;
  return `${rule} ${who} asked to add one at the next sign-in.`;
}

function ssoText({ sso_name }: SignInRules): string {
  if (sso_name === null) return "This instance has no single sign-on. Set OIDC_ISSUER to use one.";
  return `Passwords and passkeys don't open the accounts of this partner. Only ${sso_name} does, and operators of this instance can still use their own password or passkey.`;
}
