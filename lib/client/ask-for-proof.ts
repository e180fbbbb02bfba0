type Prompt = () => Promise<boolean>;

let prompt: Prompt | null = null;
let asking: Promise<boolean> | null = null;

/** Sets how the user is asked to confirm who they are. Returns how to unset it. */
export function setProofPrompt(next: Prompt): () => void {
  prompt = next;
  return () => {
    if (prompt === next) prompt = null;
  };
}

/** Asks the user to confirm who they are: once for all requests that wait for it. Whether they did. */
export function askForProof(): Promise<boolean> {
  asking ??= (prompt?.() ?? Promise.resolve(false)).finally(() => {
    asking = null;
  });
  return asking;
}
