import { useQuery } from "@tanstack/react-query";
import { lineKey } from "@/components/lines/lines-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";
import type { AuditView } from "@/lib/lines/reputation/get-audit-view";

/** Loads the report of an audit. A completed report does not change. */
export function useAudit(line: LineDetails, audit: LineDetails["audits"][number] | undefined) {
  const path = `/api/phone-numbers/${encodeURIComponent(line.phone_number)}/reputation-audits/${audit?.audit_id}`;
  return useQuery<AuditView, ApiFailure>({
    queryKey: [...lineKey(line.id), "audit", audit?.audit_id, audit?.status],
    queryFn: ({ signal }) => apiFetch(path, { signal }),
    enabled: audit !== undefined && audit.status !== "pending",
    staleTime: Number.POSITIVE_INFINITY,
  });
}
