import type { ReactNode } from "react";
import { TrunklineMark } from "@/components/shell/trunkline-mark";

type MessagePageProps = {
  code?: string;
  title: string;
  description: ReactNode;
  actions: ReactNode;
  /** Inside the dashboard's shell, which has the `main` element already. */
  isInShell?: boolean;
};

/** A full page with a single message: not found, failed or empty. */
export function MessagePage({ code, title, description, actions, isInShell = false }: MessagePageProps) {
  const Frame = isInShell ? "div" : "main";
  return (
    <Frame className="mx-auto flex min-h-[70dvh] max-w-md flex-col items-start justify-center gap-4 px-6 py-16">
      {!isInShell && <TrunklineMark className="size-8" />}
      {code && <p className="font-mono text-muted-foreground text-xs">{code}</p>}
      <h1 className="text-balance font-semibold text-2xl tracking-tight">{title}</h1>
      <div className="text-muted-foreground leading-relaxed">{description}</div>
      <div className="flex flex-wrap gap-2 pt-2">{actions}</div>
    </Frame>
  );
}
