"use client";

import { Check, Copy, X } from "lucide-react";
import { useContext } from "react";
import { TextCopied } from "@/components/data/copy/text-copied";
import { useCopy } from "@/components/data/copy/use-copy";
import { Button, type ButtonProps } from "@/components/ui/button";
import { cn } from "@/lib/cn";

type CopyButtonProps = Omit<ButtonProps, "onClick" | "children" | "value"> & {
  value: string;
  /** The name of the copied value, for example "trace ID". */
  label: string;
  /** Shows the label beside the icon. */
  showLabel?: boolean;
};

const icons = { idle: Copy, copied: Check, failed: X };
const spoken = { idle: "", copied: "Copied", failed: "Copy failed" };

/** Copies `value` and confirms it visually and to screen readers. */
export function CopyButton({
  value,
  label,
  showLabel = false,
  variant = "ghost",
  size,
  className,
  ...props
}: CopyButtonProps) {
  const { outcome, copy } = useCopy();
  const onCopied = useContext(TextCopied);
  const Icon = icons[outcome];
  const name = `Copy ${label}`;
  return (
    <Button
      variant={variant}
      size={size ?? (showLabel ? "sm" : "icon-xs")}
      aria-label={showLabel ? undefined : name}
      title={showLabel ? undefined : name}
      onClick={async () => (await copy(value)) && onCopied(value)}
      className={cn(!showLabel && "text-muted-foreground", className)}
      {...props}
    >
      <Icon
        className={cn(
          outcome === "copied" && "text-success",
          outcome === "failed" && "text-destructive-text",
        )}
      />
      {showLabel && (spoken[outcome] || name)}
      <span role="status" className="sr-only">
        {spoken[outcome]}
      </span>
    </Button>
  );
}
