"use client";

import { useQuery } from "@tanstack/react-query";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { Team } from "@/lib/messaging/team/teams";

export type Teams = { teams: Team[] };

export const teamsKey = ["teams"];

/** Without a connection, a request fails, which the form says, and is repeated when the connection is back. */
export const FAILS_OFFLINE = { networkMode: "always", refetchOnReconnect: true } as const;

type TeamsOptions = { initial?: Teams; enabled?: boolean; refetchInterval?: number | false };

/** The account's teams by name, those of the user marked. */
export function useTeams({ initial, enabled = true, refetchInterval = false }: TeamsOptions = {}) {
  return useQuery<Teams, ApiFailure>({
    queryKey: teamsKey,
    queryFn: ({ signal }) => apiFetch("/api/teams", { signal }),
    initialData: initial,
    enabled,
    refetchInterval,
    ...FAILS_OFFLINE,
  });
}

/** The teams by name, those of the user first. */
export function ownFirst(teams: readonly Team[]): Team[] {
  return teams.toSorted((a, b) => Number(b.is_mine) - Number(a.is_mine));
}
