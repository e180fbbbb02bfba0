"use client";

import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { toast } from "@/components/data/toast";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import type { ApiFailure } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";

type ExportButtonProps = {
  label: string;
  /** The route that downloads the archive with a ticket. */
  path: string;
  /** Creates the ticket. */
  start: () => Promise<{ ticket: string }>;
};

/** Downloads an archive of personal data, after a proof of identity if the last one is too old. */
export function ExportButton({ label, path, start }: ExportButtonProps) {
  const request = useMutation<{ ticket: string }, ApiFailure>({
    mutationFn: start,
    onSuccess: ({ ticket }) => window.location.assign(`${path}${queryString({ ticket })}`),
    onError: (failure) => toast.error("The export was not started", { description: failure.message }),
  });
  return (
    <Button
      variant="outline"
      size="sm"
      aria-disabled={request.isPending}
      onClick={() => {
        if (!request.isPending) request.mutate();
      }}
    >
      {request.isPending ? <Spinner /> : <Download aria-hidden="true" />}
      {label}
    </Button>
  );
}
