"use client";

import { useState } from "react";
import { Alert, AlertTitle } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { apiFetch } from "@/lib/client/api-fetch";

type InvitationAnswerProps = {
  invitationId: string;
  partner: string;
  /** The token of the invitation's link, when the page was opened with it. */
  token?: string;
};

/** Accepts or declines an invitation as the signed-in person, then opens the dashboard. */
export function InvitationAnswer({ invitationId, partner, token }: InvitationAnswerProps) {
  const [failure, setFailure] = useState<string>();
  const [pending, setPending] = useState(false);

  async function answer(method: "POST" | "DELETE"): Promise<void> {
    setPending(true);
    try {
      const body = method === "POST" ? { body: { token } } : {};
      await apiFetch(`/api/session/invitations/${invitationId}`, { method, ...body });
      location.assign("/");
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
      setPending(false);
    }
  }

  return (
    <div className="flex flex-col gap-3">
      {failure && (
        <Alert variant="destructive">
          <AlertTitle className="tracking-normal">{failure}</AlertTitle>
        </Alert>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          disabled={pending}
          onClick={() => void answer("POST")}
          aria-label={`Accept the invitation to ${partner}`}
        >
          Accept
        </Button>
        <Button
          variant="outline"
          disabled={pending}
          onClick={() => void answer("DELETE")}
          aria-label={`Decline the invitation to ${partner}`}
        >
          Decline
        </Button>
      </div>
    </div>
  );
}
