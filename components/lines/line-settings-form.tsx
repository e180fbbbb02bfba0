"use client";

import { FailureNote } from "@/components/data/failure-note";
import { LazySelect } from "@/components/data/fields/lazy-select";
import { ForwardingForm } from "@/components/lines/forwarding-form";
import { LabelForm } from "@/components/lines/label-form";
import { useLineChange } from "@/components/lines/use-line-change";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Switch } from "@/components/ui/switch";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

type LineSettingsFormProps = { line: LineDetails; mayManage: boolean };

const ACCOUNTS = "account";

const TIERS = [
  { value: ACCOUNTS, label: "Account default" },
  { value: "persistent", label: "Persistent: files are kept" },
  { value: "ephemeral", label: "Ephemeral: links for 15 minutes" },
];

/** A line's settings: label, call forwarding, attachment retention and RCS. */
export function LineSettingsForm({ line, mayManage }: LineSettingsFormProps) {
  const change = useLineChange(line.id, "Line settings saved");
  return (
    <Card>
      <CardHeader>
        <CardTitle>Settings</CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col gap-5">
        <LabelForm line={line} mayManage={mayManage} />
        <ForwardingForm line={line} mayManage={mayManage} />
        <FailureNote title="The line settings could not be saved" failure={change.error} />
        <Field>
          <FieldLabel>Attachments</FieldLabel>
          <FieldControl>
            <LazySelect
              className="w-full sm:w-72"
              value={line.attachment_tier ?? ACCOUNTS}
              options={TIERS}
              disabled={!mayManage || change.isPending}
              onChange={(tier) => change.mutate({ attachment_tier: readTier(tier) })}
            />
          </FieldControl>
          <FieldDescription>Applies to new files. Stored files stay as they are.</FieldDescription>
        </Field>
        <Field orientation="horizontal">
          <div className="flex min-w-0 flex-col gap-1">
            <FieldLabel>RCS</FieldLabel>
            <FieldDescription>
              When off, requests that require RCS on this line fail with error 4004.
            </FieldDescription>
          </div>
          <FieldControl>
            <Switch
              checked={line.rcs}
              disabled={!mayManage || change.isPending}
              onCheckedChange={(rcs) => change.mutate({ rcs })}
            />
          </FieldControl>
        </Field>
      </CardContent>
    </Card>
  );
}

function readTier(value: string): "persistent" | "ephemeral" | null {
  return value === "persistent" || value === "ephemeral" ? value : null;
}
