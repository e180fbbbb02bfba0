import { CopyButton } from "@/components/data/copy/copy-button";

type CopyOnceProps = {
  value: string;
  /** The name of the copied value, for screen readers. */
  label: string;
  testId: string;
};

/** A secret that is shown only once, with a copy button. The button takes the focus from the form before it. */
export function CopyOnce({ value, label, testId }: CopyOnceProps) {
  return (
    <div className="flex items-center justify-between gap-2 rounded-lg border bg-muted/60 py-2 pr-2 pl-3.5">
      <code data-testid={testId} className="wrap-anywhere font-mono text-xs">
        {value}
      </code>
      <CopyButton value={value} label={label} variant="outline" size="icon-sm" autoFocus />
    </div>
  );
}
