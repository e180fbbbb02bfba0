"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { ConfirmAction } from "@/components/data/dialogs/confirm-action";
import { linesKey } from "@/components/lines/lines-key";
import { apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

/** Deletes a line's contact card, after a confirmation. */
export function DeleteCard({ line, onDeleted }: { line: LineDetails; onDeleted: () => void }) {
  const queryClient = useQueryClient();
  const address = `/api/contact-cards${queryString({ phone_number: line.phone_number })}`;
  return (
    <ConfirmAction
      needsName
      label="Delete"
      icon={<Trash2 aria-hidden="true" />}
      title="Delete this contact card?"
      description="The card and its photo are removed from the line. Phones that already received the card keep it."
      confirm="Delete card"
      keep="Cancel"
      done="Contact card deleted"
      failed="The contact card could not be deleted"
      action={async () => {
        await apiFetch(address, { method: "DELETE" });
        await queryClient.invalidateQueries({ queryKey: linesKey });
      }}
      onDone={onDeleted}
    />
  );
}
