import { ArrowUpRight } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { CopyButton } from "@/components/data/copy/copy-button";
import { CopyableId } from "@/components/data/copy/copyable-id";
import { Timestamp } from "@/components/data/time/timestamp";
import { formatLatency } from "@/components/requests/format-latency";
import { cn } from "@/lib/cn";
import type { LoggedRequestDetails } from "@/lib/request-log/search/api-request";

/** The properties of a request other than its headers and bodies. */
export function RequestDetails({ logged }: { logged: LoggedRequestDetails }) {
  const { chat_id: chatId, line, token, user_agent: client, address } = logged;
  return (
    <dl className="grid min-w-0 gap-x-8 gap-y-1.5 rounded-xl border bg-card px-4 py-3.5 shadow-xs sm:grid-cols-2 lg:grid-cols-3">
      <Fact name="Path" className="sm:col-span-full">
        <span className="wrap-anywhere font-mono text-xs">{logged.path}</span>
        <CopyButton value={logged.path} label="path" />
      </Fact>
      <Fact name="Time">
        <Timestamp value={logged.created_at} format="moment" />
      </Fact>
      <Fact name="Latency">
        <span className="tabular-nums">{formatLatency(logged.latency_ms)}</span>
      </Fact>
      <Fact name="Token">{token.name ?? <CopyableId value={token.id} label="token id" />}</Fact>
      <Fact name="Trace">
        <CopyableId value={logged.trace_id} label="trace ID" />
      </Fact>
      {chatId !== null && (
        <Fact name="Chat">
          <CopyableId value={chatId} label="chat ID" />
          <PageLink href={`/chats/${chatId}`} name="Open chat" />
        </Fact>
      )}
      {line !== null && (
        <Fact name="Line">
          <span className="tabular-nums">{line}</span>
        </Fact>
      )}
      {address !== null && (
        <Fact name="IP address">
          <span className="wrap-anywhere font-mono text-xs">{address}</span>
        </Fact>
      )}
      {client !== null && (
        <Fact name="Client">
          <span className="wrap-anywhere">{client}</span>
        </Fact>
      )}
    </dl>
  );
}

type FactProps = { name: string; children: ReactNode; className?: string };

function Fact({ name, children, className }: FactProps) {
  return (
    <div className={cn("flex min-h-6 min-w-0 items-center gap-3", className)}>
      <dt className="w-14 shrink-0 text-muted-foreground text-xs">{name}</dt>
      <dd className="flex min-w-0 items-center gap-x-1 text-[0.8125rem]">{children}</dd>
    </div>
  );
}

function PageLink({ href, name }: { href: string; name: string }) {
  return (
    <Link
      href={href}
      aria-label={name}
      title={name}
      className="inline-flex size-6 items-center justify-center rounded-sm text-muted-foreground hover:bg-accent hover:text-foreground pointer-coarse:size-8"
    >
      <ArrowUpRight aria-hidden="true" className="size-3.5" />
    </Link>
  );
}
