import { CopyButton } from "@/components/data/copy/copy-button";
import { highlightCode } from "@/components/data/copy/highlight-code";
import { ScrollRegion } from "@/components/data/scroll-region";
import { cn } from "@/lib/cn";

type JsonViewProps = {
  value: unknown;
  /** The name of the payload, for example "event payload". */
  label: string;
  className?: string;
};

/** A payload as indented, highlighted JSON with a copy button. */
export function JsonView({ value, label, className }: JsonViewProps) {
  const text = JSON.stringify(value, null, 2) ?? "undefined";
  return (
    <div className={cn("relative min-h-0 min-w-0 rounded-lg border bg-muted/60", className)}>
      <CopyButton
        value={text}
        label={label}
        variant="outline"
        className="absolute top-2 right-2 z-10 bg-card/90"
      />
      <ScrollRegion label={label} className="max-h-[inherit] overflow-auto rounded-[inherit]">
        <pre className="w-max min-w-full p-3.5 pr-12 font-mono text-xs leading-5">
          <code>{highlightCode(text, "json")}</code>
        </pre>
      </ScrollRegion>
    </div>
  );
}
