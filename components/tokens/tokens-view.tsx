"use client";

import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import Link from "next/link";
import { EmptyState } from "@/components/data/empty-state";
import { ErrorNote } from "@/components/data/error-note";
import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import type { SnippetPlace } from "@/components/snippets/snippet-place";
import { GenerateToken } from "@/components/tokens/generate-token";
import { TokenTable } from "@/components/tokens/token-table";
import { tokensKey } from "@/components/tokens/tokens-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { ApiToken } from "@/lib/identity/tokens/api-token";

type TokensViewProps = {
  initialTokens: ApiToken[];
  mayManage: boolean;
  mayCreate: boolean;
  start: SnippetPlace;
};

/** The account's API tokens: those there are, a new one, and the end of one. */
export function TokensView({ initialTokens, mayManage, mayCreate, start }: TokensViewProps) {
  const { data, error, refetch } = useQuery<{ tokens: ApiToken[] }, ApiFailure>({
    queryKey: tokensKey,
    queryFn: ({ signal }) => apiFetch("/api/tokens", { signal }),
    initialData: { tokens: initialTokens },
    refetchInterval: 15_000,
  });

  const generate = mayCreate ? <GenerateToken start={start} /> : undefined;
  return (
    <PageBody>
      <PageHeader
        title="API tokens"
        description={
          <>
            A token lets a program act for this account over the API. It is shown once; keep it like a
            password.{" "}
            <Link href="/docs/guides/tokens" className="underline underline-offset-4">
              Expiry, scopes and rolling
            </Link>
          </>
        }
        actions={data.tokens.length > 0 ? generate : undefined}
      />
      {error && (
        <ErrorNote
          title="The list may be out of date"
          code={error.code}
          traceId={error.traceId}
          onRetry={() => void refetch()}
        >
          {error.message}
        </ErrorNote>
      )}
      <TokenTable
        tokens={data.tokens}
        mayManage={mayManage}
        mayCreate={mayCreate}
        empty={
          <EmptyState
            icon={KeyRound}
            title="No token yet"
            description={
              mayCreate
                ? "Generate a token to send your first message."
                : "Only an admin can create API tokens. Ask an admin of your team."
            }
            action={generate}
          />
        }
      />
    </PageBody>
  );
}
