"use client";

import { useState } from "react";

/**
 * The text of a field that is saved on its own. It shows the saved text until a person changes it. What they type stays when
 * the saved text is read again, also while their last change is being saved.
 */
export function useDraft(saved: string) {
  const [draft, setDraft] = useState<string | null>(null);
  return {
    text: draft ?? saved,
    change: setDraft,
    /** Call after `saved` was read again, with the `text` that was saved. */
    wasSaved: (text: string) => setDraft((now) => (now === text ? null : now)),
  };
}
