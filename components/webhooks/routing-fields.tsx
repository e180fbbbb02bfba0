import Link from "next/link";
import { useState } from "react";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

/** The routing headers of an endpoint; null = none. */
export type RoutingHeaders = { routing_key_header: string | null; routing_id_header: string | null };

type RoutingFieldsProps = { headers: RoutingHeaders; onChange: (change: Partial<RoutingHeaders>) => void };

/** The headers that keep the deliveries of one chat on one server. */
export function RoutingFields({ headers, onChange }: RoutingFieldsProps) {
  // Only the initial value matters: clearing the field must not collapse the section.
  const [isOpenAtFirst] = useState(headers.routing_key_header !== null);
  return (
    <details className="flex flex-col" open={isOpenAtFirst}>
      <summary className="w-fit cursor-pointer rounded-sm font-medium text-sm">Routing headers</summary>
      <div className="flex flex-col gap-4 pt-3">
        <p className="text-muted-foreground text-sm">
          Keep all deliveries of a chat on the same server behind your load balancer.{" "}
          <Link href="/docs/guides/webhooks#routing" className="underline underline-offset-4">
            How routing works
          </Link>
        </p>
        <Field>
          <FieldLabel>Routing key header</FieldLabel>
          <FieldControl>
            <HeaderInput
              name="routing_key_header"
              placeholder="Off"
              value={headers.routing_key_header}
              onName={(routing_key_header) => onChange({ routing_key_header })}
            />
          </FieldControl>
          <FieldDescription>
            Your server returns a token in this header. Later deliveries of the chat carry the token.
          </FieldDescription>
        </Field>
        <Field>
          <FieldLabel>Chat ID header</FieldLabel>
          <FieldControl>
            <HeaderInput
              name="routing_id_header"
              placeholder="Linq-Chat-Id"
              value={headers.routing_id_header}
              onName={(routing_id_header) => onChange({ routing_id_header })}
            />
          </FieldControl>
          <FieldDescription>Carries the chat's ID. Ignored without a routing key header.</FieldDescription>
        </Field>
      </div>
    </details>
  );
}

type HeaderInputProps = {
  name: string;
  placeholder: string;
  value: string | null;
  onName: (name: string | null) => void;
};

function HeaderInput({ value, onName, ...props }: HeaderInputProps) {
  return (
    <Input
      autoComplete="off"
      spellCheck={false}
      maxLength={100}
      className="font-mono"
      value={value ?? ""}
      onChange={(event) => onName(event.target.value.trim() || null)}
      {...props}
    />
  );
}
