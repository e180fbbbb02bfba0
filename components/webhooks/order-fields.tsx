import Link from "next/link";
import { useId } from "react";
import { LazySelect } from "@/components/data/fields/lazy-select";
import { Checkbox } from "@/components/ui/checkbox";

/** The order of an endpoint's deliveries; `none` = they do not wait for each other. */
export type OrderSettings = { ordering: "none" | "chat"; on_exhausted: "skip" | "stop" | null };

type OrderFieldsProps = { order: OrderSettings; onChange: (change: OrderSettings) => void };

/** Whether the next event of a chat waits for the one before, and what follows a failure. */
export function OrderFields({ order, onChange }: OrderFieldsProps) {
  const id = useId();
  const isOrdered = order.ordering === "chat";
  return (
    <div className="flex flex-col gap-2">
      <span className="flex items-center gap-2">
        <Checkbox
          id={id}
          aria-describedby={`${id}note`}
          checked={isOrdered}
          onCheckedChange={(on) => onChange({ ordering: on === true ? "chat" : "none", on_exhausted: null })}
        />
        <label htmlFor={id} className="text-sm">
          Deliver the events of each chat in order
        </label>
      </span>
      {isOrdered && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
          <span>After a delivery permanently fails</span>
          <LazySelect
            label="After a delivery permanently fails"
            size="sm"
            value={order.on_exhausted ?? "skip"}
            options={[
              { value: "skip", label: "Go on with the next event" },
              { value: "stop", label: "Stop the chat" },
            ]}
            onChange={(chosen) =>
              onChange({ ordering: "chat", on_exhausted: chosen === "stop" ? "stop" : "skip" })
            }
          />
        </div>
      )}
      <p id={`${id}note`} className="text-muted-foreground text-sm">
        {order.on_exhausted === "stop"
          ? "The events of a stopped chat wait until you retry or skip the failed delivery."
          : "A chat's next event waits for the answer to the last one and its retries. Other chats go on."}{" "}
        <Link href="/docs/guides/webhooks#rules" className="underline underline-offset-4">
          Delivery guarantees
        </Link>
      </p>
    </div>
  );
}
