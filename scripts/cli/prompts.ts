import { cancel, confirm } from "@clack/prompts";
import type { GlobalOptions } from "@/scripts/cli/cli-context";
import { CliError } from "@/scripts/cli/cli-error";

/** Whether a person can answer questions: in a terminal, and not with --json. */
export function mayAsk({ json }: GlobalOptions): boolean {
  return process.stdin.isTTY && !json;
}

/** The answer to a prompt. Errors: failed, when the person canceled the prompt; `consequence` says what that means. */
export function answered<Answer>(answer: Answer | symbol, consequence: string): Answer {
  if (typeof answer === "symbol") return failCanceled(consequence);
  return answer;
}

interface Confirmation {
  /** Whether --yes was given, which skips the question. */
  yes: boolean;
  question: string;
  /** The consequence of a refusal, such as "Nothing was deleted." */
  consequence: string;
}

/** Asks a person to confirm a destructive command. Errors: usage (no terminal, and no --yes), failed (refused). */
export async function requireConfirmation(
  common: GlobalOptions,
  { yes, question, consequence }: Confirmation,
): Promise<void> {
  if (yes) return;
  if (!mayAsk(common)) throw new CliError("usage", `${question} Pass --yes to confirm. ${consequence}`);
  const isConfirmed = answered<boolean>(
    await confirm({ message: question, initialValue: false }),
    consequence,
  );
  if (!isConfirmed) failCanceled(consequence);
}

function failCanceled(consequence: string): never {
  cancel(consequence);
  throw new CliError("failed", "canceled");
}
