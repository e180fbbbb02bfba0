"use client";

import type { ReactNode } from "react";
import { type DataColumn, DataTable } from "@/components/data/data-table";
import { StatusBadge } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/timestamp";
import { RevokeToken } from "@/components/tokens/revoke-token";
import type { ApiToken } from "@/lib/tokens/api-token";

type TokenTableProps = { tokens: ApiToken[]; mayManage: boolean; empty: ReactNode };

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
    header: "State",
    cell: (token) => <StatusBadge kind="token" value={token.revoked_at === null ? "active" : "revoked"} />,
  },
  { key: "last-used", header: "Last used", cell: (token) => <LastUse token={token} /> },
  { key: "created", header: "Created", cell: (token) => <Creation token={token} /> },
];

const actions: DataColumn<ApiToken> = {
  key: "actions",
  header: "Actions",
  hideHeader: true,
  className: "sm:text-right",
  cell: (token) => token.revoked_at === null && <RevokeToken token={token} />,
};

/** Tokens as rows: never the token itself. */
export function TokenTable({ tokens, mayManage, empty }: TokenTableProps) {
  return (
    <DataTable
      label="API tokens"
      columns={mayManage ? [...columns, actions] : columns}
      rows={tokens}
      rowKey={(token) => token.id}
      empty={empty}
    />
  );
}

function LastUse({ token }: { token: ApiToken }) {
  if (token.last_used_at === null) return <span className="text-muted-foreground">Never</span>;
  return <Timestamp value={token.last_used_at} />;
}

function Creation({ token }: { token: ApiToken }) {
  return (
    <span className="flex flex-col max-sm:items-end">
      <Timestamp value={token.created_at} />
      <span className="text-muted-foreground text-xs">by {token.created_by ?? "the system"}</span>
    </span>
  );
}
