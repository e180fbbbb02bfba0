"use client";

import Link from "next/link";
import { FailureNote } from "@/components/data/failure-note";
import { OptionSelect } from "@/components/settings/option-select";
import { RetentionSelect } from "@/components/settings/retention-select";
import { useOptionsChange } from "@/components/settings/use-options";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Switch } from "@/components/ui/switch";
import type { AccountOptions } from "@/lib/identity/accounts/account-options";

const SWITCHES = [
  { key: "locations", label: "Locations", off: "When off, location requests fail with error 2011." },
  { key: "rcs", label: "RCS", off: "When off, sends that require RCS fail with error 4004." },
  {
    key: "message_search",
    label: "Message search",
    off: "When off, people can't search messages by their words, and the index of the words is deleted.",
  },
  {
    key: "developer_tokens",
    label: "Developers can create API tokens",
    off: "When off, only admins can create and roll tokens.",
  },
] as const satisfies { key: keyof AccountOptions; label: string; off: string }[];

const TIERS = [
  { value: "persistent", label: "Persistent: files are kept" },
  { value: "ephemeral", label: "Ephemeral: links for 15 minutes" },
];

const LINKS = [
  { value: "allow", label: "Allowed" },
  { value: "reject", label: "Rejected with error 1005" },
];

const VERSIONS: { value: AccountOptions["default_webhook_version"]; label: string }[] = [
  { value: "2026-02-03", label: "2026-02-03 (latest)" },
  { value: "2025-01-01", label: "2025-01-01" },
];

const OFF = "off";
const IDLE_MINUTES = [5, 15, 30, 60, 240];

function takeOverChoices(current: number | null) {
  const offered =
    current === null || IDLE_MINUTES.includes(current) ? IDLE_MINUTES : [...IDLE_MINUTES, current];
  return [
    { value: OFF, label: "Off" },
    ...offered.map((minutes) => ({
      value: String(minutes),
      label: `Handed back after ${minutes} idle minutes`,
    })),
  ];
}

const EXCHANGES = [15, 20, 30, 50, 100];

function loopChoices(current: number | null) {
  const offered = current === null || EXCHANGES.includes(current) ? EXCHANGES : [...EXCHANGES, current];
  return [
    { value: OFF, label: "Off" },
    ...offered.map((exchanges) => ({ value: String(exchanges), label: `After ${exchanges} exchanges` })),
  ];
}

/** The options that admins can change. Every change is saved immediately. */
export function ChosenOptions({ options, mayManage }: { options: AccountOptions; mayManage: boolean }) {
  const change = useOptionsChange();
  const disabled = !mayManage || change.isPending;
  return (
    <Card>
      <CardHeader>
        <CardTitle>Options</CardTitle>
        <CardDescription>
          To learn how long Trunkline keeps data, see{" "}
          <Link href="/docs/guides/attachments" className="underline underline-offset-4">
            attachments and retention
          </Link>
          .
        </CardDescription>
      </CardHeader>
      <CardContent className="flex flex-col gap-5">
        <FailureNote title="The option was not changed" failure={change.error} />
        {SWITCHES.map(({ key, label, off }) => (
          <Field key={key} orientation="horizontal">
            <div className="flex min-w-0 flex-col gap-1">
              <FieldLabel>{label}</FieldLabel>
              <FieldDescription>{off}</FieldDescription>
            </div>
            <FieldControl>
              <Switch
                checked={options[key]}
                disabled={disabled}
                onCheckedChange={(checked) => change.mutate({ [key]: checked })}
              />
            </FieldControl>
          </Field>
        ))}
        <OptionSelect
          name="Attachments"
          description="Applies to new files. A line can have its own setting."
          value={options.attachment_tier}
          choices={TIERS}
          disabled={disabled}
          onChange={(tier) =>
            change.mutate({ attachment_tier: tier === "ephemeral" ? "ephemeral" : "persistent" })
          }
        />
        <OptionSelect
          name="Links in a first message"
          description="Links in the first message of a chat often trigger spam filters."
          value={options.first_message_links}
          choices={LINKS}
          disabled={disabled}
          onChange={(links) =>
            change.mutate({ first_message_links: links === "reject" ? "reject" : "allow" })
          }
        />
        <OptionSelect
          name="Default webhook payload version"
          description="For new webhook endpoints whose target URL has no ?version= parameter."
          value={options.default_webhook_version}
          choices={VERSIONS}
          disabled={disabled}
          onChange={(version) => {
            const chosen = VERSIONS.find(({ value }) => value === version);
            if (chosen) change.mutate({ default_webhook_version: chosen.value });
          }}
        />
        <OptionSelect
          name="Take over chats"
          description="A person can take over a chat. Sends to it by API tokens then fail with error 2015 until the person hands it back or sends nothing for this long."
          value={options.take_over_minutes === null ? OFF : String(options.take_over_minutes)}
          choices={takeOverChoices(options.take_over_minutes)}
          disabled={disabled}
          onChange={(minutes) =>
            change.mutate({ take_over_minutes: minutes === OFF ? null : Number(minutes) })
          }
        />
        <OptionSelect
          name="Hold chats that loop"
          description="When two programs answer each other, sends to the chat by API tokens fail with error 2015 until a person resumes them in the chat, or the contact has not written for 60 minutes. People are never held."
          value={options.loop_exchanges === null ? OFF : String(options.loop_exchanges)}
          choices={loopChoices(options.loop_exchanges)}
          disabled={disabled}
          onChange={(exchanges) =>
            change.mutate({ loop_exchanges: exchanges === OFF ? null : Number(exchanges) })
          }
        />
        <RetentionSelect
          minutes={options.retention_minutes}
          disabled={disabled}
          onChange={(retention_minutes) => change.mutate({ retention_minutes })}
        />
      </CardContent>
    </Card>
  );
}
