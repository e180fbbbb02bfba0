import { CliError } from "@/scripts/cli/cli-error";

/** The result of one check of `doctor`. */
export interface Check {
  name: string;
  /** `skip`: the check does not apply here. */
  status: "ok" | "warn" | "fail" | "skip";
  /** The finding, and for a failure the action to take. */
  detail: string;
}

/** Runs a check. An error of the command line fails it, except that a token without the scope skips it. */
export async function runCheck(name: string, look: () => Promise<Omit<Check, "name">>): Promise<Check> {
  try {
    return { name, ...(await look()) };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const isOutsideScope = error.failure.status === 403;
    return { name, status: isOutsideScope ? "skip" : "fail", detail: error.message };
  }
}
