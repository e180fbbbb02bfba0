"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useAccountsChanged } from "@/components/accounts/use-accounts-changed";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import { FailureNote } from "@/components/data/failure-note";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { toast } from "@/components/data/toast";
import { OptionSelect } from "@/components/settings/option-select";
import { AccountMark } from "@/components/shell/account-mark";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from "@/components/ui/dialog";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { Account } from "@/lib/identity/accounts/account";
import { ACCOUNT_COLORS } from "@/lib/identity/accounts/account-color";

const MAX_NAME = 60;
const BY_DEFAULT = "automatic";

const TYPES = [
  {
    value: "sandbox",
    label: "Sandbox",
    description: "Simulated phones, a daily limit, and sends only to phones that wrote first.",
  },
  { value: "production", label: "Production", description: "Real lines and real recipients." },
] as const;

const COLORS = ACCOUNT_COLORS.map((value) => ({ value, label: value[0]?.toUpperCase() + value.slice(1) }));

export type AccountDialogProps = { account: Account | null };

/** Creates an account, or changes the name and color of `account`. */
export function AccountDialog({ account, trigger }: AccountDialogProps & LoadedPopup) {
  const [name, setName] = useState(account?.name ?? "");
  const [type, setType] = useState<string>("sandbox");
  const [color, setColor] = useState<string>(account?.color ?? BY_DEFAULT);
  const changed = useAccountsChanged();
  const chosen = { name: name.trim(), ...(color === BY_DEFAULT ? {} : { color }) };
  const save = useMutation<Account, ApiFailure>({
    mutationFn: () =>
      account === null
        ? apiFetch("/api/accounts", { method: "POST", body: { ...chosen, type } })
        : apiFetch(`/api/accounts/${account.id}`, { method: "PATCH", body: chosen }),
    onSuccess: async (saved) => {
      onOpenChange(false);
      toast.success(account === null ? `${saved.name} was created` : `${saved.name} was saved`);
      await changed();
    },
  });
  const [open, onOpenChange] = useFreshDialog(() => {
    setName(account?.name ?? "");
    setColor(account?.color ?? BY_DEFAULT);
    save.reset();
  }, true);
  const isReady = name.trim() !== "" && !save.isPending;

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isReady) save.mutate();
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent>
        <form onSubmit={submit} className="flex min-w-0 flex-col gap-4">
          <DialogHeader>
            <DialogTitle>{account === null ? "Create an account" : "Edit the account"}</DialogTitle>
            <DialogDescription>
              An account has its own lines, chats, API tokens, webhooks and limits. People of the partner can
              open every account.
            </DialogDescription>
          </DialogHeader>
          <FailureNote title="The account was not saved" failure={save.error} />
          <Field>
            <FieldLabel>Name</FieldLabel>
            <FieldControl>
              <Input
                autoComplete="off"
                maxLength={MAX_NAME}
                value={name}
                onChange={({ target }) => setName(target.value)}
              />
            </FieldControl>
            <FieldDescription>Webhooks report the environment by this name.</FieldDescription>
          </Field>
          {account === null && (
            <OptionSelect
              name="Environment"
              description={TYPES.find(({ value }) => value === type)?.description ?? ""}
              value={type}
              choices={TYPES}
              disabled={save.isPending}
              onChange={setType}
            />
          )}
          <OptionSelect
            name="Color"
            description="The color of the account's mark in the dashboard."
            value={color}
            choices={account === null ? [{ value: BY_DEFAULT, label: "Automatic" }, ...COLORS] : COLORS}
            disabled={save.isPending}
            onChange={setColor}
          />
          <DialogFooter>
            {account !== null && (
              <span className="mr-auto hidden items-center gap-2 sm:flex">
                <AccountMark name={name || account.name} color={toColor(color)} />
              </span>
            )}
            <Button type="submit" disabled={!isReady}>
              {save.isPending && <Spinner />}
              {account === null ? "Create account" : "Save"}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}

function toColor(value: string): Account["color"] {
  return ACCOUNT_COLORS.find((color) => color === value) ?? "blue";
}
