/** The exit codes of the command line. */
export const EXIT = {
  /** The request failed. */
  failed: 1,
  /** The command or its options are wrong. */
  usage: 2,
  /** The token is missing, invalid or not allowed to do this. */
  denied: 3,
  /** The instance does not respond. */
  unreachable: 4,
  /** A check of `doctor` failed. */
  unhealthy: 5,
  /** `conform` found a difference. */
  different: 1,
  /** `conform` could not run. */
  notRun: 2,
} as const;

export type ExitName = keyof typeof EXIT;

/** The fields of a failure that `--json` prints. */
export interface Failure {
  message: string;
  /** The error code of the API. */
  code?: number;
  status?: number;
  doc_url?: string;
  trace_id?: string;
  retry_after?: number;
  /** The number of the log's oldest event, in an error about events that the log no longer has. */
  oldest?: string | null;
}

/** A failure that the command line prints without a stack trace, with its exit code. */
export class CliError extends Error {
  readonly exit: ExitName;
  readonly failure: Failure;

  constructor(exit: ExitName, failure: Failure | string) {
    const known = typeof failure === "string" ? { message: failure } : failure;
    super(known.message);
    this.exit = exit;
    this.failure = known;
  }
}
