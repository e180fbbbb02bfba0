"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Unplug } from "lucide-react";
import { useRouter } from "next/navigation";
import { ConfirmAction } from "@/components/data/dialogs/confirm-action";
import { linesKey } from "@/components/lines/lines-key";
import { apiFetch } from "@/lib/client/api-fetch";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

/** Releases a line after a confirmation. */
export function ReleaseLine({ line }: { line: LineDetails }) {
  const router = useRouter();
  const queryClient = useQueryClient();
  return (
    <ConfirmAction
      needsName
      label="Release"
      icon={<Unplug aria-hidden="true" />}
      title={`Release ${line.phone_number}?`}
      description="The account gives the number back. Its chats stay readable but closed, and its contact card is removed. Afterwards, any account of this instance can use the number, without these chats."
      confirm="Release line"
      keep="Keep line"
      done={`${line.phone_number} was released`}
      failed="The line was not released"
      action={() => apiFetch(`/api/lines/${line.id}`, { method: "DELETE" })}
      onDone={() => {
        router.push("/lines");
        void queryClient.invalidateQueries({ queryKey: linesKey });
      }}
    />
  );
}
