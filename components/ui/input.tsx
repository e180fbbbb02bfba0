import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

function Input({ className, type, ...props }: ComponentProps<"input">) {
  return (
    <input
      type={type}
      data-slot="input"
      className={cn(
        "h-8.5 w-full min-w-0 rounded-md border border-input bg-card px-3 py-1 text-base shadow-xs transition-colors placeholder:text-muted-foreground file:mr-3 file:border-0 file:bg-transparent file:font-medium file:text-foreground file:text-sm focus-visible:border-ring focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-50 aria-invalid:border-destructive-text pointer-coarse:h-10 md:text-sm",
        className,
      )}
      {...props}
    />
  );
}

export { Input };
