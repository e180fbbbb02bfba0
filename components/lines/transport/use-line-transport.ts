"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toast } from "@/components/data/toast";
import { lineKey, linesKey } from "@/components/lines/lines-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { LineTransport } from "@/lib/lines/transports/get-line-transport";

const LOOK_MS = 5000;

/** The connections of a line, refetched regularly for their health. */
export function useLineTransport(lineId: string, initial: LineTransport) {
  return useQuery<LineTransport, ApiFailure>({
    queryKey: [...lineKey(lineId), "transport"],
    queryFn: ({ signal }) => apiFetch(`/api/lines/${lineId}/transport`, { signal }),
    initialData: initial,
    refetchInterval: LOOK_MS,
  });
}

/** The settings of a connection as they are entered. */
export type EnteredConnection = { position: number; transport: string; settings: Record<string, string> };

/** Stores a connection and refetches every query about lines. */
export function useSetConnection(lineId: string) {
  const queryClient = useQueryClient();
  return useMutation<LineTransport, ApiFailure, EnteredConnection>({
    mutationFn: (body) => apiFetch(`/api/lines/${lineId}/transport`, { method: "PUT", body }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: linesKey });
      toast.success("Connection saved");
    },
  });
}

/** The result of a test of a connection. */
export type ConnectionTest = { works: boolean | null; reason: string | null; warnings: string[] };

/** Tests a connection without storing it. */
export function useTestConnection(lineId: string) {
  return useMutation<ConnectionTest, ApiFailure, EnteredConnection>({
    mutationFn: (body) => apiFetch(`/api/lines/${lineId}/transport/test`, { method: "POST", body }),
  });
}

/** Changes when the next connection is used. */
export function useChangeFailover(lineId: string) {
  const queryClient = useQueryClient();
  return useMutation<LineTransport, ApiFailure, number | null>({
    mutationFn: (failover_seconds) =>
      apiFetch(`/api/lines/${lineId}/transport`, { method: "PATCH", body: { failover_seconds } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: linesKey });
      toast.success("Failover saved");
    },
  });
}
