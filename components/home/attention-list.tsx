import { ChevronDown, CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { Timestamp } from "@/components/data/time/timestamp";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import type { Home } from "@/lib/runtime/dashboard/get-home";

type Item = Home["attention"][number];

const LOOKS = {
  critical: { icon: CircleAlert, label: "Critical", className: "text-destructive-text" },
  warning: { icon: TriangleAlert, label: "Warning", className: "text-warning" },
};

const KINDS: Readonly<Record<Item["kind"], readonly [one: string, several: string]>> = {
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

/** Their titles have the number. */
const UNCOUNTED: readonly Item["kind"][] = [
  "near-misses",
  "opt-out-spike",
  "failed-messages",
  "processor",
  "declined-payments",
];

/**
 * The conditions that a person can improve, each with a link to its remedy, in one row: a single condition itself, or how
 * many there are of each kind, which opens.
 */
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
        {attention.length === 0 ? "Nothing needs attention" : `${attention.length} need attention`}
      </p>
      {first === undefined && (
        <p className="flex items-center gap-3 px-4 py-3 text-muted-foreground sm:px-5">
          <CircleCheck aria-hidden="true" className="size-4 shrink-0 text-success" />
          Nothing needs attention: endpoints, lines, tokens and payments work.
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
            {kindsOf(attention).map((kind) => (
              <KindCount key={`${kind.kind} ${kind.severity}`} {...kind} />
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

type KindOfItems = Pick<Item, "kind" | "severity"> & { count: number };

/** The number of conditions of each kind and severity, in their order. */
function kindsOf(attention: readonly Item[]): KindOfItems[] {
  const found = new Map<string, KindOfItems>();
  for (const { kind, severity } of attention) {
    const key = `${kind} ${severity}`;
    found.set(key, { kind, severity, count: (found.get(key)?.count ?? 0) + 1 });
  }
  return [...found.values()];
}

function KindCount({ kind, severity, count }: KindOfItems) {
  const { icon: Icon, label, className } = LOOKS[severity];
  const [one, several] = KINDS[kind];
  return (
    <span className="flex items-center gap-1.5 text-xs tabular-nums">
      <Icon aria-hidden="true" className={cn("size-3.5 shrink-0", className)} />
      <span className="sr-only">{label}: </span>
      {!UNCOUNTED.includes(kind) && `${count} `}
      {count === 1 ? one : several}
    </span>
  );
}

function AttentionItem({ item }: { item: Item }) {
  const { icon: Icon, label, className } = LOOKS[item.severity];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 sm:px-5">
      <Icon aria-hidden="true" className={cn("size-4 shrink-0", className)} />
      <p className="wrap-anywhere min-w-0 flex-1 basis-56">
        <span className="sr-only">{label}: </span>
        <span className="font-medium">{item.title}.</span>{" "}
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
