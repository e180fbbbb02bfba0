"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { ConfirmAction } from "@/components/data/confirm-action";
import { linesKey } from "@/components/lines/lines-key";
import { apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { LineDetails } from "@/lib/lines/lines/get-line-details";

/** Takes a card off its line for good, once the reader has confirmed it. */
export function DeleteCard({ line, onDeleted }: { line: LineDetails; onDeleted: () => void }) {
  const queryClient = useQueryClient();
  const address = `/api/contact-cards${queryString({ phone_number: line.phone_number })}`;
  return (
    <ConfirmAction
      label="Delete"
      icon={<Trash2 aria-hidden="true" />}
      title="Delete this contact card?"
      description="It is taken off the line with its picture. Phones that have it keep what was shared with them."
      confirm="Delete card"
      keep="Keep it"
      done="The contact card was deleted"
      failed="Not deleted"
      action={async () => {
        await apiFetch(address, { method: "DELETE" });
        await queryClient.invalidateQueries({ queryKey: linesKey });
      }}
      onDone={onDeleted}
    />
  );
}
