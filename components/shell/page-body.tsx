import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

/** The content column of a page. Full-height pages such as chats do not use it. */
export function PageBody({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      className={cn("mx-auto flex w-full max-w-6xl flex-col gap-6 px-4 py-6 sm:px-6 sm:py-8", className)}
      {...props}
    />
  );
}
