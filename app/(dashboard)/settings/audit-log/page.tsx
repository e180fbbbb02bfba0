import { AuditLog } from "@/components/settings/audit-log";
import { objectText } from "@/components/settings/describe-entry";
import { SettingsFrame } from "@/components/settings/settings-frame";
import type { Filter, SearchParams } from "@/lib/client/filters";
import { ListAuditEntries, listAuditEntries } from "@/lib/identity/audit/list-audit-entries";
import { listAuditObjectTypes } from "@/lib/identity/audit/list-audit-object-types";
import { listTokens } from "@/lib/identity/tokens/list-tokens";
import { listTeamMembers } from "@/lib/messaging/team/team-member";
import type { Context } from "@/lib/platform/context";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";

export const metadata = { title: "Audit log" };

/** The filters of the audit log, with the account's team members, tokens and types of objects as options. */
async function filtersOf(ctx: Context, mayViewTokens: boolean): Promise<Filter[]> {
  const [{ members }, { tokens }, types] = await Promise.all([
    listTeamMembers(ctx),
    mayViewTokens ? listTokens(ctx) : { tokens: [] },
    listAuditObjectTypes(ctx),
  ]);
  return [
    {
      type: "select",
      name: "actor",
      label: "Actor",
      all: "All actors",
      options: [
        { value: "user", label: "All people" },
        { value: "api", label: "All API tokens" },
        { value: "system", label: "Trunkline or operator" },
        ...members.map(({ id, name }) => ({ value: id, label: name })),
        ...tokens.map(({ id, name }) => ({ value: id, label: `${name} (API token)` })),
      ],
    },
    {
      type: "select",
      name: "object",
      param: "object_type",
      label: "Object",
      all: "All objects",
      options: types.map((type) => ({ value: type, label: objectText(type) })),
    },
    { type: "time", label: "Time" },
  ];
}

export default async function AuditLogPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { ctx, may } = await requireAccount("view_history");
  const loaded = await loadSearch(ctx, await searchParams, {
    api: "/api/audit-log",
    query: ListAuditEntries.query,
    filters: await filtersOf(ctx, may("view_tokens")),
    search: (query) => listAuditEntries(ctx, { query }),
  });
  return (
    <SettingsFrame current="audit-log">
      <AuditLog found={loaded} />
    </SettingsFrame>
  );
}
