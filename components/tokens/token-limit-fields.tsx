import { OptionSelect } from "@/components/settings/option-select";
import { SCOPE_LABELS } from "@/components/tokens/scope-labels";
import { Checkbox } from "@/components/ui/checkbox";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { TOKEN_SCOPES, type TokenScope } from "@/lib/platform/rights/token-scope";

/** The name and limits of a token as form values. */
export type TokenDraft = {
  name: string;
  /** Days as text, `never`, or `keep` to leave a token's expiry unchanged. */
  expiry: string;
  isRestricted: boolean;
  scopes: TokenScope[];
  /** As entered: IP addresses and CIDRs separated by commas. */
  addresses: string;
};

/** A token's name and limits in an API request. */
export type TokenLimits = {
  name: string;
  /** null = never; omitted = the expiry does not change. */
  expires_in_days?: number | null;
  scopes: TokenScope[];
  allowed_addresses: string[];
};

export type Expiry = { value: string; label: string };

/** The offered expiry times, counted from now. */
export const EXPIRIES: readonly Expiry[] = [
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In 365 days" },
  { value: "never", label: "Never" },
];

const ACCESS = [
  { value: "all", label: "Full access" },
  { value: "restricted", label: "Restricted" },
];

const SCOPE_HINTS: Record<TokenScope, string> = {
  messaging: "Chats, messages, attachments, lines",
  payments: "Payment requests and agent payments",
  read_only: "Read everything except agent payments",
};

type TokenLimitFieldsProps = {
  draft: TokenDraft;
  expiries: readonly Expiry[];
  disabled: boolean;
  onChange: (change: Partial<TokenDraft>) => void;
};

/** The fields for a token's name, expiry, access and allowed IP addresses. */
export function TokenLimitFields({ draft, expiries, disabled, onChange }: TokenLimitFieldsProps) {
  return (
    <>
      <Field>
        <FieldLabel>Name</FieldLabel>
        <FieldControl>
          <Input
            name="name"
            autoComplete="off"
            required
            maxLength={80}
            placeholder="Booking server"
            value={draft.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        </FieldControl>
        <FieldDescription>The program or person that will use the token.</FieldDescription>
      </Field>
      <OptionSelect
        name="Expires"
        description="Trunkline notifies you 7 days and 1 day before a token expires."
        value={draft.expiry}
        choices={expiries}
        disabled={disabled}
        onChange={(expiry) => onChange({ expiry })}
      />
      <OptionSelect
        name="Access"
        description="Requests outside the token's access fail with 403."
        value={draft.isRestricted ? "restricted" : "all"}
        choices={ACCESS}
        disabled={disabled}
        onChange={(access) => onChange({ isRestricted: access === "restricted" })}
      />
      {draft.isRestricted && (
        <ScopeChoice chosen={draft.scopes} disabled={disabled} onChange={(scopes) => onChange({ scopes })} />
      )}
      <Field>
        <FieldLabel>Allowed IP addresses</FieldLabel>
        <FieldControl>
          <Input
            name="allowed_addresses"
            autoComplete="off"
            placeholder="Any address"
            value={draft.addresses}
            onChange={(event) => onChange({ addresses: event.target.value })}
          />
        </FieldControl>
        <FieldDescription>
          Optional. IP addresses or CIDRs separated by commas, for example 192.0.2.0/24.
        </FieldDescription>
      </Field>
    </>
  );
}

type ScopeChoiceProps = {
  chosen: TokenScope[];
  disabled: boolean;
  onChange: (scopes: TokenScope[]) => void;
};

function ScopeChoice({ chosen, disabled, onChange }: ScopeChoiceProps) {
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="mb-2.5 font-medium text-sm">Scopes</legend>
      {TOKEN_SCOPES.map((scope) => (
        <Field key={scope} orientation="horizontal" className="justify-start">
          <FieldControl>
            <Checkbox
              disabled={disabled}
              checked={chosen.includes(scope)}
              onCheckedChange={(on) =>
                onChange(TOKEN_SCOPES.filter((of) => (of === scope ? on === true : chosen.includes(of))))
              }
            />
          </FieldControl>
          <div className="flex min-w-0 flex-col gap-0.5">
            <FieldLabel>{SCOPE_LABELS[scope]}</FieldLabel>
            <FieldDescription>{SCOPE_HINTS[scope]}</FieldDescription>
          </div>
        </Field>
      ))}
    </fieldset>
  );
}

/** Whether the form can be submitted: a name is required, and a restricted token needs at least one scope. */
export function isComplete({ name, isRestricted, scopes }: TokenDraft): boolean {
  return name.trim() !== "" && (!isRestricted || scopes.length > 0);
}

export function toLimits({ name, expiry, isRestricted, scopes, addresses }: TokenDraft): TokenLimits {
  return {
    name: name.trim(),
    ...(expiry !== "keep" && { expires_in_days: expiry === "never" ? null : Number(expiry) }),
    scopes: isRestricted ? scopes : [],
    allowed_addresses: addresses.split(/[\s,]+/).filter((address) => address !== ""),
  };
}
