"use client";

import { LineTextForm } from "@/components/lines/line-text-form";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

/** The number that calls to a line are forwarded to. It can be changed even on a flagged line. */
export function ForwardingForm({ line, mayManage }: { line: LineDetails; mayManage: boolean }) {
  return (
    <LineTextForm
      lineId={line.id}
      mayManage={mayManage}
      name="forwarding_number"
      saved={line.forwarding_number}
      label="Forwarding number"
      description="Calls to this line are forwarded to this number if the transport supports it. Leave empty to turn off forwarding."
      done="Forwarding number saved"
      failed="The forwarding number could not be saved"
      input={{ type: "tel", placeholder: "+15550100199", className: "font-mono sm:w-72" }}
    />
  );
}
