import "server-only";
import { ERRORS } from "@/lib/platform/errors/errors";
import type { Guidance } from "@/lib/platform/errors/guidance";
import { REQUEST_GUIDANCE } from "@/lib/platform/errors/request-guidance";
import { RESOURCE_GUIDANCE } from "@/lib/platform/errors/resource-guidance";
import { SERVICE_GUIDANCE } from "@/lib/platform/errors/service-guidance";

type ErrorCode = (typeof ERRORS)[keyof typeof ERRORS]["code"];

/** Guidance for every code of the error table. A missing code is a compile error. */
const GUIDANCE: Record<ErrorCode, Guidance> = {
  ...REQUEST_GUIDANCE,
  ...RESOURCE_GUIDANCE,
  ...SERVICE_GUIDANCE,
};

/** The documentation of an error code, for its page and for the advice next to a failed message. */
export interface DocumentedError extends Guidance {
  code: number;
  title: string;
  /** Several when errors with different statuses share the code. */
  statuses: number[];
}

const DOCUMENTED: ReadonlyMap<number, DocumentedError> = document();

/** The documentation of a code, or undefined when the code does not exist. */
export function documentedError(code: number): DocumentedError | undefined {
  return DOCUMENTED.get(code);
}

/** The documentation of every code, in ascending order. */
export function documentedErrors(): DocumentedError[] {
  return [...DOCUMENTED.values()].sort((left, right) => left.code - right.code);
}

function document(): Map<number, DocumentedError> {
  const documented = new Map<number, DocumentedError>();
  for (const { code, status, message } of Object.values(ERRORS)) {
    const known = documented.get(code);
    if (known === undefined) {
      documented.set(code, { code, title: message, statuses: [status], ...GUIDANCE[code] });
    } else {
      known.statuses.push(status);
    }
  }
  return documented;
}
