"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "@/components/data/dialogs/form-dialog";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import { LazySelect } from "@/components/data/fields/lazy-select";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { toast } from "@/components/data/toast";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { consumerPath, consumersKey } from "@/components/webhooks/consumers/consumers-key";
import { MomentField } from "@/components/webhooks/replays/moment-field";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { Consumer } from "@/lib/webhooks/consumers/consumer";

export type SeekConsumerProps = { consumer: Consumer };

const TARGETS = {
  now: { label: "Now", effect: "Waiting events are skipped. The next poll returns new events only." },
  oldest: { label: "Oldest event", effect: "Every event of the log is returned again." },
  time: { label: "Time", effect: "Events since this time are returned, also those that were acknowledged." },
  event: {
    label: "Event",
    effect:
      "Events after this one are returned, also those that were acknowledged. Use its number or its ID.",
  },
} as const;

type Target = keyof typeof TARGETS;

const EVENT = /^(\d{1,15}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** Moves a consumer to another position in the event log. */
export function SeekConsumer({ consumer: { name, leased_until }, trigger }: SeekConsumerProps & LoadedPopup) {
  const [target, setTarget] = useState<Target>("now");
  const [time, setTime] = useState<string>();
  const [event, setEvent] = useState("");
  const queryClient = useQueryClient();
  const after = afterOf(target, time, event);
  const work = useMutation<Consumer, ApiFailure>({
    mutationFn: () => apiFetch(`/api/webhooks/consumers/${name}/seek`, { method: "POST", body: { after } }),
    onSuccess: async (moved) => {
      queryClient.setQueryData([consumerPath(name)], moved);
      void queryClient.invalidateQueries({ queryKey: consumersKey });
      toast.success(`${name} continues after event ${moved.position}`);
      onOpenChange(false);
    },
  });
  const [open, onOpenChange] = useFreshDialog(() => {
    work.reset();
    setTarget("now");
    setTime(undefined);
    setEvent("");
  }, true);

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      trigger={trigger}
      title={`Seek ${name}`}
      description={
        leased_until === null
          ? "The next poll continues at the new position."
          : "The next poll continues at the new position. The current lease ends, and its events can't be acknowledged."
      }
      submit="Seek"
      isReady={after !== null}
      work={{ ...work, mutate: () => work.mutate() }}
      failed="The consumer was not moved"
    >
      <Field>
        <FieldLabel>Continue at</FieldLabel>
        <FieldControl>
          <LazySelect
            label="Continue at"
            value={target}
            options={Object.entries(TARGETS).map(([value, { label }]) => ({ value, label }))}
            onChange={(value) => setTarget(value as Target)}
          />
        </FieldControl>
        <FieldDescription>{TARGETS[target].effect}</FieldDescription>
      </Field>
      {target === "time" && (
        <MomentField label="Time" placeholder="yesterday 2pm" value={time} onChange={setTime} />
      )}
      {target === "event" && (
        <Field>
          <FieldLabel>Event</FieldLabel>
          <FieldControl>
            <Input
              autoComplete="off"
              spellCheck={false}
              placeholder="48210"
              className="font-mono text-xs"
              value={event}
              onChange={({ target: input }) => setEvent(input.value)}
            />
          </FieldControl>
        </Field>
      )}
    </FormDialog>
  );
}

/** The position of a seek; null while it is incomplete. */
function afterOf(target: Target, time: string | undefined, event: string): string | null {
  if (target === "time") return time ?? null;
  if (target !== "event") return target;
  const text = event.trim().replace(/^#/, "").toLowerCase();
  return EVENT.test(text) ? text : null;
}
