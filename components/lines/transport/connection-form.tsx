"use client";

import { CircleCheck, CircleHelp, CircleX, TriangleAlert } from "lucide-react";
import { type FormEvent, useState } from "react";
import { FailureNote } from "@/components/data/failure-note";
import { LazySelect } from "@/components/data/fields/lazy-select";
import { ConnectionField } from "@/components/lines/transport/connection-field";
import {
  type ConnectionTest,
  useSetConnection,
  useTestConnection,
} from "@/components/lines/transport/use-line-transport";
import { Button } from "@/components/ui/button";
import { Field, FieldControl, FieldLabel } from "@/components/ui/field";
import { Spinner } from "@/components/ui/spinner";
import type { LineConnection, LineTransport } from "@/lib/lines/transports/get-line-transport";

type ConnectionFormProps = {
  lineId: string;
  position: number;
  /** null = a new connection. */
  connection: LineConnection | null;
  transports: LineTransport["transports"];
  onSaved?: () => void;
};

/** The settings of one connection of a line. The fields are those of the chosen transport. */
export function ConnectionForm({ lineId, position, connection, transports, onSaved }: ConnectionFormProps) {
  const [name, setName] = useState(connection?.transport ?? "");
  const [values, setValues] = useState<Record<string, string>>(connection?.settings ?? {});
  const save = useSetConnection(lineId);
  const test = useTestConnection(lineId);
  const transport = transports.find((each) => each.name === name);
  const isStored = connection?.transport === name;
  const entered = { position, transport: name, settings: values };

  function choose(next: string): void {
    setName(next);
    setValues(next === connection?.transport ? connection.settings : {});
    save.reset();
    test.reset();
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    test.reset();
    save.mutate(entered, {
      onSuccess: () => {
        // Secrets are stored now, and are not kept on the page.
        setValues((before) => withoutSecrets(before, transport));
        onSaved?.();
      },
    });
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-5" autoComplete="off">
      <Field>
        <FieldLabel>Transport</FieldLabel>
        <FieldControl>
          <LazySelect
            value={name}
            options={transports.map((each) => ({ value: each.name, label: each.name }))}
            placeholder="Choose a transport"
            className="w-full sm:w-72"
            onChange={choose}
          />
        </FieldControl>
      </Field>
      {transport?.fields.map((field) => (
        <ConnectionField
          key={`${name} ${field.name}`}
          field={field}
          value={values[field.name] ?? ""}
          isStored={isStored && connection.secrets.includes(field.name)}
          onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
        />
      ))}
      <FailureNote title="The connection could not be saved" failure={save.error} />
      <FailureNote title="The connection could not be tested" failure={test.error} />
      {test.data !== undefined && <TestResult result={test.data} />}
      {transport !== undefined && (
        <div className="flex flex-wrap gap-2">
          <Button type="submit" disabled={save.isPending}>
            {save.isPending && <Spinner />}
            Save connection
          </Button>
          <Button
            type="button"
            variant="outline"
            disabled={test.isPending}
            onClick={() => test.mutate(entered)}
          >
            {test.isPending && <Spinner />}
            Test connection
          </Button>
        </div>
      )}
    </form>
  );
}

function withoutSecrets(
  values: Record<string, string>,
  transport: LineTransport["transports"][number] | undefined,
) {
  const secrets = new Set(transport?.fields.flatMap(({ name, is_secret }) => (is_secret ? name : [])));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secrets.has(name)));
}

function TestResult({ result: { works, reason, warnings } }: { result: ConnectionTest }) {
  const [Icon, text] =
    works === null
      ? [
          CircleHelp,
          "This transport can't be tested without using it. Save the connection and check its status.",
        ]
      : works
        ? [CircleCheck, "The connection works."]
        : [CircleX, `The connection does not work: ${reason}`];
  return (
    <div role="status" className="flex flex-col gap-2 text-sm">
      <p className="flex items-start gap-2">
        <Icon
          aria-hidden="true"
          className={`mt-0.5 size-4 shrink-0 ${works === true ? "text-success" : ""} ${works === false ? "text-destructive-text" : ""}`}
        />
        <span className="min-w-0 break-words">{text}</span>
      </p>
      {warnings.map((warning) => (
        <p key={warning} className="flex items-start gap-2">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
          <span className="min-w-0 break-words">{warning}</span>
        </p>
      ))}
    </div>
  );
}
