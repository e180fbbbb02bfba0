import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

function Textarea({ className, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      data-slot="textarea"
      className={cn(
        "field-sizing-content flex min-h-18 w-full rounded-md border border-input bg-card px-3 py-2 text-base leading-relaxed shadow-xs transition-colors placeholder:text-muted-foreground focus-visible:border-ring focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-50 aria-invalid:border-destructive-text md:text-sm",
        className,
      )}
      {...props}
    />
  );
}

export { Textarea };
