import "server-only";
import { closeChats } from "@/lib/privacy/erasure/close-chats";
import { deleteChats } from "@/lib/privacy/erasure/delete-chats";
import { endPayments, redactPayments } from "@/lib/privacy/erasure/end-payments";
import { eraseFiles, eraseMessages, eraseRows } from "@/lib/privacy/erasure/erase-messages";
import type { Step } from "@/lib/privacy/erasure/erasure";
import {
  eraseLateEvents,
  searchAttempts,
  searchEvents,
  searchLateRequests,
  searchRequests,
} from "@/lib/privacy/erasure/search-logs";
import { searchAudit, searchPhones, searchTables } from "@/lib/privacy/erasure/search-tables";

/** The steps that erase everything that was stored when the person's chats were closed. */
const MAIN_STEPS: readonly Step[] = [
  endPayments,
  closeChats,
  eraseFiles,
  eraseMessages,
  eraseRows,
  redactPayments,
  searchEvents,
  searchAttempts,
  searchRequests,
  searchAudit,
  searchPhones,
  searchTables,
];

/** The steps that erase what was in flight then, once it has ended, and delete the empty chats. */
const LATE_STEPS: readonly Step[] = [eraseLateEvents, searchLateRequests, deleteChats];

const STEPS = [...MAIN_STEPS, ...LATE_STEPS];

/** The first step of an erasure. */
export const FIRST_STEP = endPayments.name;
/** The step before which everything that was stored is erased. */
export const FIRST_LATE_STEP = eraseLateEvents.name;

/** A step by its name. Throws for an unknown name. */
export function stepOf(name: string): Step {
  const step = STEPS.find((each) => each.name === name);
  if (step === undefined) throw new Error(`no step of an erasure is named ${name}`);
  return step;
}

/** The name of the step after this one; null after the last. */
export function stepAfter(name: string): string | null {
  return STEPS[STEPS.indexOf(stepOf(name)) + 1]?.name ?? null;
}
