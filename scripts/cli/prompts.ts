import type { GlobalOptions } from "@/scripts/cli/cli-context";
import { CliError } from "@/scripts/cli/cli-error";

/** Loads the prompts, which few runs show. */
export function loadPrompts() {
  return import("@clack/prompts");
}

/** Whether a person can answer questions: in a terminal, and not with --json. */
export function mayAsk({ json }: GlobalOptions): boolean {
  return process.stdin.isTTY && !json;
}

/** The answer to a prompt. Errors: failed, when the person canceled the prompt; `consequence` says what that means. */
export async function answered<Answer>(answer: Answer | symbol, consequence: string): Promise<Answer> {
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
  const { confirm } = await loadPrompts();
  const answer = await confirm({ message: question, initialValue: false });
  if (!(await answered<boolean>(answer, consequence))) await failCanceled(consequence);
}

async function failCanceled(consequence: string): Promise<never> {
  const { cancel } = await loadPrompts();
  cancel(consequence);
  throw new CliError("failed", "canceled");
}
