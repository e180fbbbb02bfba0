"use client";

import { useQuery } from "@tanstack/react-query";
import type { Person } from "@/components/teams/listed-people";
import { FAILS_OFFLINE } from "@/components/teams/use-teams";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

/** The people of the partner by name, at most 200, which chats can be assigned to. */
export function useTeamMembers({ enabled = true }: { enabled?: boolean } = {}) {
  return useQuery<{ members: Person[] }, ApiFailure>({
    queryKey: ["team-members"],
    queryFn: ({ signal }) => apiFetch("/api/team-members", { signal }),
    enabled,
    ...FAILS_OFFLINE,
  });
}
