"use client";

import { LazyOpen } from "@/components/data/lazy-open";
import type { TeamDialogProps } from "@/components/teams/team-dialog";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/teams/team-dialog")).TeamDialog;

/** Opens the form of a new team, or of `team`. */
export function TeamButton(props: TeamDialogProps) {
  const { team } = props;
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        team === null ? (
          <Button className="self-start">Create team</Button>
        ) : (
          <Button variant="outline" size="sm" aria-label={`Edit ${team.name}`}>
            Edit
          </Button>
        )
      }
    />
  );
}
