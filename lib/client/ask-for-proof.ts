/** The proof that a request requires: `required` accepts any method, `passkey` only a passkey. */
export type ProofType = "required" | "passkey";

type Prompt = (type: ProofType) => Promise<boolean>;

let prompt: Prompt | null = null;
let asking: Promise<boolean> | null = null;

/** Sets the prompt that asks the user for a proof of identity. Returns a function that unsets it. */
export function setProofPrompt(next: Prompt): () => void {
  prompt = next;
  return () => {
    if (prompt === next) prompt = null;
  };
}

/**
 * Asks the user for a proof of identity, once for all requests that wait for it. Resolves to whether the user gave it.
 */
export function askForProof(type: ProofType): Promise<boolean> {
  asking ??= (prompt?.(type) ?? Promise.resolve(false)).finally(() => {
    asking = null;
  });
  return asking;
}
