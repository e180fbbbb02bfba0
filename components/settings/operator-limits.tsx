import { Timestamp } from "@/components/data/time/timestamp";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import type { AccountOptions } from "@/lib/identity/accounts/account-options";

const LIMITS = [
  { key: "requests_per_minute", label: "Requests per minute per token", none: "Instance default" },
  { key: "daily_messages", label: "Messages per day, in and out", none: "No limit" },
  { key: "pair_messages", label: "Messages per minute to one recipient", none: "No limit" },
  { key: "storage_mb", label: "Stored files (MB)", none: "Instance default" },
] as const satisfies { key: keyof AccountOptions; label: string; none: string }[];

/** The limits that only the operator can set. */
export function OperatorLimits({ options }: { options: AccountOptions }) {
  return (
    <Card>
      <CardHeader>
        <CardTitle>Limits</CardTitle>
        <CardDescription>Set by your operator.</CardDescription>
      </CardHeader>
      <CardContent>
        <dl className="flex flex-col gap-2.5">
          {LIMITS.map(({ key, label, none }) => (
            <div key={key} className="flex flex-wrap justify-between gap-x-4">
              <dt className="text-muted-foreground">{label}</dt>
              <dd className="tabular-nums">{options[key]?.toLocaleString("en") ?? none}</dd>
            </div>
          ))}
          <div className="flex flex-wrap justify-between gap-x-4">
            <dt className="text-muted-foreground">Expires</dt>
            <dd>
              {options.expires_at === null ? (
                "Never"
              ) : (
                <Timestamp value={options.expires_at} format="moment" />
              )}
            </dd>
          </div>
        </dl>
      </CardContent>
    </Card>
  );
}
