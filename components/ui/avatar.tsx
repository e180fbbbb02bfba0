import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

function Avatar({ className, ...props }: ComponentProps<"span">) {
  return (
    <span
      data-slot="avatar"
      className={cn(
        "relative flex size-8 shrink-0 select-none overflow-hidden rounded-full text-xs",
        className,
      )}
      {...props}
    />
  );
}

function AvatarFallback({ className, ...props }: ComponentProps<"span">) {
  return (
    <span
      data-slot="avatar-fallback"
      className={cn(
        "flex size-full items-center justify-center rounded-full bg-secondary font-medium text-secondary-foreground",
        className,
      )}
      {...props}
    />
  );
}

export { Avatar, AvatarFallback };
