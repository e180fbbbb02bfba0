"use client";

import { useQuery } from "@tanstack/react-query";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { Team } from "@/lib/messaging/team/teams";

export type Teams = { teams: Team[] };

export const teamsKey = ["teams"];

/** The account's teams by name, those of the user marked. */
export function useTeams({ initial, enabled = true }: { initial?: Teams; enabled?: boolean } = {}) {
  return useQuery<Teams, ApiFailure>({
    queryKey: teamsKey,
    queryFn: ({ signal }) => apiFetch("/api/teams", { signal }),
    initialData: initial,
    enabled,
  });
}
