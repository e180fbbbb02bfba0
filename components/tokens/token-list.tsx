"use client";

import { KeyRound } from "lucide-react";
import type { DataColumn } from "@/components/data/data-table";
import { RecordBadge } from "@/components/data/record-badge";
import { Timestamp } from "@/components/data/time/timestamp";
import { ListScreen } from "@/components/list/list-screen";
import { EditTokenButton } from "@/components/tokens/edit-token-button";
import { RevokeToken } from "@/components/tokens/revoke-token";
import { RollTokenButton } from "@/components/tokens/roll-token-button";
import { SCOPE_LABELS } from "@/components/tokens/scope-labels";
import type { LoadedSearch } from "@/lib/client/filters";
import type { ApiToken } from "@/lib/identity/tokens/api-token";

const LOOK_MS = 15_000;

const columns: DataColumn<ApiToken>[] = [
  { key: "name", header: "Name", cell: (token) => <span className="font-medium">{token.name}</span> },
  {
    key: "token",
    header: "Token",
    cell: (token) => (
      <span className="font-mono text-xs">
        {token.prefix}
        <span aria-hidden="true">…</span>
        <span className="sr-only"> to </span>
        {token.last_four}
      </span>
    ),
  },
  {
    key: "state",
    header: "Status",
    cell: (token) => <RecordBadge kind="token" value={stateOf(token)} />,
  },
  { key: "access", header: "Access", cell: (token) => <Access token={token} /> },
  { key: "expires", header: "Expires", cell: (token) => <Expiry token={token} /> },
  { key: "last-used", header: "Last used", cell: (token) => <LastUse token={token} /> },
  { key: "created", header: "Created", cell: (token) => <Creation token={token} /> },
];

function actionsOf(mayCreate: boolean): DataColumn<ApiToken> {
  return {
    key: "actions",
    header: "Actions",
    hideHeader: true,
    className: "sm:text-right",
    cell: (token) =>
      stateOf(token) === "active" && (
        <span className="inline-flex flex-wrap justify-end gap-2">
          {mayCreate && <EditTokenButton token={token} />}
          {mayCreate && <RollTokenButton token={token} />}
          <RevokeToken token={token} />
        </span>
      ),
  };
}

function stateOf(token: ApiToken): "active" | "expired" | "revoked" {
  if (token.revoked_at !== null) return "revoked";
  return token.is_expired ? "expired" : "active";
}

type TokenListProps = {
  found?: LoadedSearch<{ tokens: ApiToken[] }>;
  mayManage?: boolean;
  mayCreate?: boolean;
};

/** The account's API tokens, without their secrets. */
export function TokenList({ found, mayManage = false, mayCreate = false }: TokenListProps) {
  return (
    <ListScreen
      found={found}
      label="API tokens"
      noun={{ one: "token", many: "tokens" }}
      rowsOf={(page) => page.tokens}
      columns={mayManage ? [...columns, actionsOf(mayCreate)] : columns}
      rowKey={({ id }) => id}
      live={{ everyMs: LOOK_MS }}
      empty={{
        icon: KeyRound,
        title: "No tokens yet",
        description: mayCreate
          ? "Your API tokens appear here. Programs use a token to call the API. Generate a token to send your first message."
          : "API tokens appear here. Programs use a token to call the API. Only an admin can generate tokens; ask an admin of your team.",
      }}
    />
  );
}

function LastUse({ token }: { token: ApiToken }) {
  if (token.last_used_at === null) return <span className="text-muted-foreground">Never</span>;
  return (
    <span className="flex flex-col max-sm:items-end">
      <Timestamp value={token.last_used_at} />
      {token.last_used_from && (
        <span className="font-mono text-muted-foreground text-xs">{token.last_used_from}</span>
      )}
    </span>
  );
}

function Access({ token }: { token: ApiToken }) {
  const { scopes, allowed_addresses: addresses } = token;
  return (
    <span className="flex flex-col max-sm:items-end">
      {scopes.length === 0 ? "Full access" : scopes.map((scope) => SCOPE_LABELS[scope]).join(", ")}
      {addresses.length > 0 && (
        <span className="font-mono text-muted-foreground text-xs">{addresses.join(", ")}</span>
      )}
    </span>
  );
}

function Expiry({ token }: { token: ApiToken }) {
  if (token.expires_at === null) return <span className="text-muted-foreground">No expiry</span>;
  return <Timestamp value={token.expires_at} />;
}

function Creation({ token }: { token: ApiToken }) {
  return (
    <span className="flex flex-col max-sm:items-end">
      <Timestamp value={token.created_at} />
      <span className="text-muted-foreground text-xs">by {token.created_by ?? "the system"}</span>
    </span>
  );
}
