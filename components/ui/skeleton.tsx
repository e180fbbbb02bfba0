import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

function Skeleton({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      data-slot="skeleton"
      aria-hidden="true"
      className={cn("animate-pulse rounded-md bg-foreground/8", className)}
      {...props}
    />
  );
}

export { Skeleton };
