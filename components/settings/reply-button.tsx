"use client";

import { LazyOpen } from "@/components/data/lazy-open";
import type { ReplyDialogProps } from "@/components/settings/reply-dialog";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/settings/reply-dialog")).ReplyDialog;

/** Opens the form of a new canned reply, or of `reply`. */
export function ReplyButton(props: ReplyDialogProps) {
  const { reply } = props;
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        reply === null ? (
          <Button className="self-start">Create canned reply</Button>
        ) : (
          <Button variant="outline" size="sm" aria-label={`Edit ${reply.title}`}>
            Edit
          </Button>
        )
      }
    />
  );
}
