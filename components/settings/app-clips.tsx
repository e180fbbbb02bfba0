"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import Link from "next/link";
import { type FormEvent, useState } from "react";
import { FailureNote } from "@/components/data/failure-note";
import { toast } from "@/components/data/toast";
import { optionsKey } from "@/components/settings/use-options";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { Field, FieldControl, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { AccountOptions } from "@/lib/identity/accounts/account-options";

const CHECKOUT_WORDS = {
  active: "Opens this account's payment requests. Active.",
  in_review:
    "Opens this account's payment requests. Your operator is reviewing it. Until then, send checkout links as link parts, which open the web checkout.",
} as const satisfies Record<AccountOptions["checkout_clip"], string>;

type AppClipsProps = {
  clips: AccountOptions["app_clips"];
  checkoutClip: AccountOptions["checkout_clip"];
  /** The URL prefix of the account's checkout links. */
  checkoutPrefix: string;
  mayManage: boolean;
};

/** The app clips that app_clip parts may link to: the account's checkout and the registered app clips. */
export function AppClips({ clips, checkoutClip, checkoutPrefix, mayManage }: AppClipsProps) {
  return (
    <Card>
      <CardHeader>
        <CardTitle>App clips</CardTitle>
        <CardDescription>The URL of an app_clip part must start with one of these prefixes.</CardDescription>
      </CardHeader>
      <CardContent className="flex flex-col gap-5">
        <ul aria-label="App clips" className="divide-y">
          <li className="flex items-center justify-between gap-3 py-2">
            <span className="flex min-w-0 flex-col">
              <span className="font-medium">Checkout</span>
              <span className="wrap-anywhere font-mono text-muted-foreground text-xs">{checkoutPrefix}</span>
              <span className="text-muted-foreground text-xs">{CHECKOUT_WORDS[checkoutClip]}</span>
            </span>
            <Button asChild variant="outline" size="sm">
              <Link href="/payments/settings">Payment settings</Link>
            </Button>
          </li>
          {clips.map((clip) => (
            <li key={clip.id} className="flex items-center justify-between gap-3 py-2">
              <span className="flex min-w-0 flex-col">
                <span className="font-medium">{clip.name}</span>
                <span className="wrap-anywhere font-mono text-muted-foreground text-xs">
                  {clip.url_prefix}
                </span>
              </span>
              {mayManage && <RemoveClip clip={clip} />}
            </li>
          ))}
        </ul>
        {mayManage && <RegisterClip key={clips.length} />}
      </CardContent>
    </Card>
  );
}

function RemoveClip({ clip }: { clip: AppClipsProps["clips"][number] }) {
  const queryClient = useQueryClient();
  const remove = useMutation<void, ApiFailure>({
    mutationFn: () => apiFetch(`/api/account/app-clips/${clip.id}`, { method: "DELETE" }),
    onSuccess: () => toast.success(`${clip.name} was removed`),
    onError: (failure) => toast.error(failure.message),
    onSettled: () => queryClient.invalidateQueries({ queryKey: optionsKey }),
  });
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-label={`Remove ${clip.name}`}
      disabled={remove.isPending}
      onClick={() => remove.mutate()}
    >
      <Trash2 />
    </Button>
  );
}

function RegisterClip() {
  const [name, setName] = useState("");
  const [prefix, setPrefix] = useState("");
  const queryClient = useQueryClient();
  const register = useMutation<unknown, ApiFailure>({
    mutationFn: () =>
      apiFetch("/api/account/app-clips", { method: "POST", body: { name, url_prefix: prefix.trim() } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: optionsKey }),
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    register.mutate();
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4 border-t pt-5">
      <FailureNote title="The app clip was not registered" failure={register.error} />
      <Field>
        <FieldLabel>Name</FieldLabel>
        <FieldControl>
          <Input required maxLength={80} value={name} onChange={(event) => setName(event.target.value)} />
        </FieldControl>
      </Field>
      <Field>
        <FieldLabel>URL prefix</FieldLabel>
        <FieldControl>
          <Input
            type="url"
            required
            placeholder="https://clips.example.com/order"
            className="font-mono"
            value={prefix}
            onChange={(event) => setPrefix(event.target.value)}
          />
        </FieldControl>
      </Field>
      <Button type="submit" variant="outline" disabled={register.isPending} className="self-start">
        {register.isPending && <Spinner />}
        Register app clip
      </Button>
    </form>
  );
}
