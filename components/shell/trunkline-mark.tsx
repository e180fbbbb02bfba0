import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

/** The logo: two trunk lines joining a third. Decorative; put the name beside it or label its link. */
export function TrunklineMark({ className, ...props }: ComponentProps<"svg">) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      strokeWidth="2.25"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      className={cn("size-6 shrink-0", className)}
      {...props}
    >
      <path d="M2.5 6h2.6c5 0 5.2 6 10.4 6" className="stroke-brand" />
      <path d="M2.5 18h2.6c5 0 5.2-6 10.4-6" className="stroke-brand" />
      <path d="M2.5 12h19" className="stroke-current" />
    </svg>
  );
}
