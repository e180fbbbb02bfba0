import type { ReactNode } from "react";

export const guideLink = "underline underline-offset-4";

/** An identifier as it appears in requests and responses. */
export function GuideCode({ children }: { children: ReactNode }) {
  return <code className="wrap-anywhere font-mono text-xs">{children}</code>;
}
