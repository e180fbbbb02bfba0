"use client";

import { useRouter } from "next/navigation";
import { LineTextForm } from "@/components/lines/line-text-form";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

/** The label of a line. */
export function LabelForm({ line, mayManage }: { line: LineDetails; mayManage: boolean }) {
  const router = useRouter();
  return (
    <LineTextForm
      lineId={line.id}
      mayManage={mayManage}
      name="label"
      saved={line.label ?? null}
      label="Label"
      description="Shown with the number in the dashboard. Customers never see it."
      done="Label saved"
      failed="The label could not be saved"
      input={{ maxLength: 60, placeholder: "Front desk", className: "sm:w-72" }}
      // The labels that every page shows come from the server.
      onSaved={() => router.refresh()}
    />
  );
}
