import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import type { Home } from "@/lib/runtime/dashboard/get-home";

const LOOKS = {
  critical: { icon: CircleAlert, label: "Critical", className: "text-destructive-text" },
  warning: { icon: TriangleAlert, label: "Warning", className: "text-warning" },
};

/** The conditions that a person can improve, each with a link to its remedy. */
export function AttentionList({ attention }: Pick<Home, "attention">) {
  return (
    <section
      aria-labelledby="needs-attention"
      className="relative min-w-0 rounded-xl border bg-card shadow-xs"
    >
      <div className="flex items-baseline justify-between gap-4 border-b px-4 py-3.5 sm:px-5">
        <h2 id="needs-attention" className="font-semibold tracking-tight">
          Needs attention
        </h2>
        <p role="status" className="text-muted-foreground text-xs tabular-nums">
          {attention.length === 0 ? "Nothing" : attention.length}
        </p>
      </div>
      {attention.length === 0 ? (
        <p className="flex items-center gap-3 px-4 py-3.5 text-muted-foreground sm:px-5">
          <CircleCheck aria-hidden="true" className="size-4 shrink-0 text-success" />
          Endpoints, lines, tokens and payments work, and no decision is pending.
        </p>
      ) : (
        <ul className="divide-y">
          {attention.map((item) => (
            <AttentionItem key={item.id} item={item} />
          ))}
        </ul>
      )}
    </section>
  );
}

function AttentionItem({ item }: { item: Home["attention"][number] }) {
  const { icon: Icon, label, className } = LOOKS[item.severity];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <Icon aria-hidden="true" className={cn("size-4 shrink-0", className)} />
      <p className="wrap-anywhere min-w-0 flex-1 basis-56">
        <span className="sr-only">{label}: </span>
        <span className="font-medium">{item.title}.</span>{" "}
        <span className="text-muted-foreground">{item.detail}</span>
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
