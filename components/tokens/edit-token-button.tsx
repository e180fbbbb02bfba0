"use client";

import { LazyOpen } from "@/components/data/lazy-open";
import type { EditTokenProps } from "@/components/tokens/edit-token";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/tokens/edit-token")).EditToken;

/** Opens the form that changes a token. */
export function EditTokenButton(props: EditTokenProps) {
  const { token } = props;
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        <Button variant="outline" size="sm" aria-label={`Edit ${token.name}`}>
          Edit
        </Button>
      }
    />
  );
}
