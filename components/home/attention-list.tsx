import { ChevronDown, CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { Grouped } from "@/components/data/grouped";
import { Timestamp } from "@/components/data/time/timestamp";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import type { Home } from "@/lib/runtime/dashboard/get-home";

type Item = Home["attention"][number];

const SEVERITIES = {
  critical: { icon: CircleAlert, label: "Critical", className: "text-destructive-text" },
  warning: { icon: TriangleAlert, label: "Warning", className: "text-warning" },
};

const TYPE_NAMES: Readonly<Record<Item["type"], readonly [one: string, several: string]>> = {
  endpoint: ["endpoint", "endpoints"],
  line: ["line", "lines"],
  loop: ["chat on hold", "chats on hold"],
  "near-misses": ["possible opt-outs", "possible opt-outs"],
  "opt-out-spike": ["opt-out spike", "opt-out spikes"],
  "failed-messages": ["failed messages", "failed messages"],
  processor: ["payment processor", "payment processors"],
  "declined-payments": ["declined payments", "declined payments"],
  token: ["API token", "API tokens"],
};

/** The list has at most one problem of these types, whose title contains the count. */
const UNCOUNTED: readonly Item["type"][] = [
  "near-misses",
  "opt-out-spike",
  "failed-messages",
  "processor",
  "declined-payments",
];

/** The problems that a user can fix, in one row: a single problem, or the counts by type, which expand to the list. */
export function AttentionList({ attention }: Pick<Home, "attention">) {
  const [first, ...more] = attention;
  return (
    <section
      aria-labelledby="needs-attention"
      className="relative min-w-0 rounded-xl border bg-card shadow-xs"
    >
      <h2 id="needs-attention" className="sr-only">
        Needs attention
      </h2>
      <p role="status" className="sr-only">
        {summaryOf(attention.length)}
      </p>
      {first === undefined && (
        <p className="flex items-center gap-3 px-4 py-3 text-muted-foreground sm:px-5">
          <CircleCheck aria-hidden="true" className="size-4 shrink-0 text-success" />
          Nothing needs attention. Problems with endpoints, lines, messages, payments and tokens appear here.
        </p>
      )}
      {first !== undefined && more.length === 0 && (
        <ul>
          <AttentionItem item={first} />
        </ul>
      )}
      {more.length > 0 && (
        <details className="group">
          <summary className="flex cursor-pointer list-none flex-wrap items-center gap-x-4 gap-y-1 rounded-xl px-4 py-3 sm:px-5 [&::-webkit-details-marker]:hidden">
            <span className="font-semibold tracking-tight">
              Needs attention <span className="tabular-nums">({attention.length})</span>
            </span>
            {countTypes(attention).map((counted) => (
              <TypeCount key={`${counted.type} ${counted.severity}`} {...counted} />
            ))}
            <ChevronDown
              aria-hidden="true"
              className="ml-auto size-4 text-muted-foreground transition-transform group-open:rotate-180 motion-reduce:transition-none"
            />
          </summary>
          <ul className="divide-y border-t">
            {attention.map((item) => (
              <AttentionItem key={item.id} item={item} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function summaryOf(problems: number): string {
  if (problems === 0) return "Nothing needs attention";
  return problems === 1 ? "1 problem needs attention" : `${problems} problems need attention`;
}

type TypeCountProps = Pick<Item, "type" | "severity"> & { count: number };

/** The count of problems of each type and severity, in the order of the list. */
function countTypes(attention: readonly Item[]): TypeCountProps[] {
  const counts = new Map<string, TypeCountProps>();
  for (const { type, severity } of attention) {
    const key = `${type} ${severity}`;
    counts.set(key, { type, severity, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

function TypeCount({ type, severity, count }: TypeCountProps) {
  const { icon: Icon, label, className } = SEVERITIES[severity];
  const [one, several] = TYPE_NAMES[type];
  return (
    <span className="flex items-center gap-1.5 text-xs tabular-nums">
      <Icon aria-hidden="true" className={cn("size-3.5 shrink-0", className)} />
      <span className="sr-only">{label}: </span>
      {!UNCOUNTED.includes(type) && `${count} `}
      {count === 1 ? one : several}
    </span>
  );
}

function AttentionItem({ item }: { item: Item }) {
  const { icon: Icon, label, className } = SEVERITIES[item.severity];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 sm:px-5">
      <Icon aria-hidden="true" className={cn("size-4 shrink-0", className)} />
      <p className="wrap-anywhere min-w-0 flex-1 basis-56">
        <span className="sr-only">{label}: </span>
        <span className="font-medium">
          <Grouped>{`${item.title}.`}</Grouped>
        </span>{" "}
        <span className="text-muted-foreground">
          {item.detail}
          {item.at !== undefined && (
            <>
              {" "}
              <Timestamp value={item.at} format="moment" />.
            </>
          )}
        </span>
      </p>
      <Button asChild variant="outline" size="sm">
        <Link href={item.href}>
          {item.action}
          <span className="sr-only">: {item.title}</span>
        </Link>
      </Button>
    </li>
  );
}
