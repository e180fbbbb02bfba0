"use client";

import { useRouter } from "next/navigation";
import { LazySelect } from "@/components/data/fields/lazy-select";
import { useNow } from "@/components/data/time/clock";
import { formatMoment } from "@/components/data/time/format-time";
import { Field, FieldControl, FieldLabel } from "@/components/ui/field";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

type CompareSelectProps = {
  line: LineDetails;
  shown: LineDetails["audits"][number];
  comparedWith: string | undefined;
};

const NONE = "none";

/** Selects the audit to compare with the one that is shown. Absent until the line has two completed audits. */
export function CompareSelect({ line, shown, comparedWith = NONE }: CompareSelectProps) {
  const router = useRouter();
  const { hydrated } = useNow();
  const others = line.audits.filter(
    ({ audit_id, severity }) => severity !== null && audit_id !== shown.audit_id,
  );
  if (shown.severity === null || others.length === 0) return null;

  function choose(id: string): void {
    const page = `/lines/${line.id}/audits?audit=${shown.audit_id}`;
    router.push(id === NONE ? page : `${page}&with=${id}`, { scroll: false });
  }

  return (
    <Field orientation="horizontal" className="justify-start">
      <FieldLabel>Compare with</FieldLabel>
      <FieldControl>
        <LazySelect
          className="w-60 min-w-0"
          value={comparedWith}
          options={[
            { value: NONE, label: "No other audit" },
            ...others.map(({ audit_id, created_at }) => ({
              value: audit_id,
              label: formatMoment(Date.parse(created_at), hydrated ? undefined : "UTC"),
            })),
          ]}
          onChange={choose}
        />
      </FieldControl>
    </Field>
  );
}
