"use client";

import { CheckCheck } from "lucide-react";
import { useState } from "react";
import { HandleLink } from "@/components/customers/handle-link";
import type { DataColumn } from "@/components/data/data-table";
import { FailureNote } from "@/components/data/failure-note";
import { Timestamp } from "@/components/data/time/timestamp";
import { ListScreen } from "@/components/list/list-screen";
import { useShortcuts } from "@/components/list/use-shortcuts";
import { NearMiss } from "@/components/opt-outs/near-miss";
import { type Decision, useHintDecision } from "@/components/opt-outs/use-hint-decision";
import { Kbd } from "@/components/ui/kbd";
import type { LoadedSearch } from "@/lib/client/filters";
import type { ListTotal } from "@/lib/platform/lists/total-of";
import type { OptOutHint } from "@/lib/recipients/opt-outs/list-hints";

const LOOK_MS = 15_000;

const columns: DataColumn<OptOutHint>[] = [
  { key: "handle", header: "Person", cell: ({ handle }) => <HandleLink handle={handle} /> },
  { key: "text", header: "Message", cell: ({ text }) => text },
  { key: "received", header: "Received", cell: ({ created_at }) => <Timestamp value={created_at} /> },
];

type NearMissesProps = {
  found?: LoadedSearch<{ hints: OptOutHint[]; next_cursor: string | null; total: ListTotal }>;
  mayDecide?: boolean;
};

/** Near misses to decide on, with the mouse or the keyboard. */
export function NearMisses({ found, mayDecide = false }: NearMissesProps) {
  return (
    <ListScreen
      found={found}
      label="Possible opt-outs"
      noun={{ one: "possible opt-out", many: "possible opt-outs" }}
      rowsOf={(page) => page.hints}
      columns={columns}
      rowKey={({ id }) => id}
      live={{ everyMs: LOOK_MS }}
      empty={{
        icon: CheckCheck,
        title: "No possible opt-outs",
        description:
          "Messages that may be opt-out requests, such as “please stop”, appear here until someone opts the sender out or dismisses them. There is nothing to decide now.",
      }}
    >
      {(hints) => <Decisions hints={hints} mayDecide={mayDecide} />}
    </ListScreen>
  );
}

function Decisions({ hints, mayDecide }: { hints: readonly OptOutHint[]; mayDecide: boolean }) {
  const [place, setPlace] = useState(0);
  const current = hints[Math.min(place, hints.length - 1)];
  const decide = useHintDecision();

  function settle(decision: Decision["decision"]): void {
    if (mayDecide && current && !decide.isPending) decide.mutate({ hint: current, decision });
  }

  const move = (by: 1 | -1) => setPlace((at) => Math.max(0, Math.min(hints.length - 1, at + by)));
  // Key repeat must not decide on the following messages too.
  const once = (decision: Decision["decision"]) => (event: KeyboardEvent) =>
    event.repeat ? undefined : settle(decision);
  useShortcuts({ j: () => move(1), k: () => move(-1), o: once("opted_out"), d: once("dismissed") });

  return (
    <div className="flex min-w-0 flex-col gap-3">
      <FailureNote title="The decision could not be saved" failure={decide.error} />
      {mayDecide ? (
        <Keys />
      ) : (
        <p className="text-muted-foreground">Your role can view possible opt-outs but not decide on them.</p>
      )}
      <ol className="flex flex-col gap-3">
        {hints.map((hint) => (
          <li key={hint.id}>
            <NearMiss
              hint={hint}
              current={mayDecide && hint.id === current?.id}
              deciding={decide.isPending}
              onDecide={mayDecide ? (decision) => decide.mutate({ hint, decision }) : undefined}
            />
          </li>
        ))}
      </ol>
    </div>
  );
}

function Keys() {
  return (
    <p className="flex items-center gap-1.5 text-muted-foreground text-xs pointer-coarse:hidden max-sm:hidden">
      <Kbd>J</Kbd> <Kbd>K</Kbd> move, <Kbd>O</Kbd> opt out, <Kbd>D</Kbd> dismiss
    </p>
  );
}
