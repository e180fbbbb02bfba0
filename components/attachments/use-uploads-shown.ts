"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { attachmentsKey } from "@/components/attachments/attachments-key";
import { useUploads } from "@/components/composer/use-uploads";

/** Files on their way up: whoever has arrived leaves for the list, which is read again. */
export function useUploadsShown() {
  const queryClient = useQueryClient();
  const { uploads, add, remove, retry } = useUploads();
  const arrived = uploads.filter(({ state }) => state === "ready").length;

  useEffect(() => {
    if (arrived > 0) void queryClient.invalidateQueries({ queryKey: attachmentsKey });
  }, [arrived, queryClient]);

  return { uploads: uploads.filter(({ state }) => state !== "ready"), add, remove, retry };
}
