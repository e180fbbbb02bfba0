"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useUploads } from "@/components/composer/files/use-uploads";

const READ_AGAIN = ["/api/attachments", "/api/attachments/totals"];

/** The uploads in progress. A finished upload moves to the list, which is refetched. */
export function useUploadsShown() {
  const queryClient = useQueryClient();
  const { uploads, add, remove, retry } = useUploads();
  const arrived = uploads.filter(({ state }) => state === "ready").length;

  useEffect(() => {
    if (arrived === 0) return;
    for (const path of READ_AGAIN) void queryClient.invalidateQueries({ queryKey: [path] });
  }, [arrived, queryClient]);

  return { uploads: uploads.filter(({ state }) => state !== "ready"), add, remove, retry };
}
