import "server-only";
import type { ImsgMessage } from "@/lib/adapters/transports/imsg/imsg-payloads";
import { changedPoll } from "@/lib/adapters/transports/imsg/imsg-polls";

const MAX_KEYS = 5000;
const MAX_EACH = 8;

/** A report of a row about a reaction of a person or about their votes. */
interface Report {
  key: string;
  id: number;
  /** The reaction that it takes away; null when it says all. */
  removes: string | null;
}

/**
 * Knows which reports about reactions and votes are outdated. A poll reads the rows again that were stored live, and
 * must not repeat a reaction that was removed since.
 */
export interface ReportOrder {
  note(message: ImsgMessage): void;
  /** Whether a later row says otherwise. */
  isOutdated(message: ImsgMessage): boolean;
}

export function createReportOrder(): ReportOrder {
  const known = new Map<string, Report[]>();
  return {
    note(message) {
      const report = reportOf(message);
      if (report === null) return;
      const reports = (known.get(report.key) ?? []).filter(({ id }) => id !== report.id);
      known.delete(report.key);
      known.set(report.key, [...reports, report].slice(-MAX_EACH));
      const [oldest] = known.keys();
      if (known.size > MAX_KEYS && oldest !== undefined) known.delete(oldest);
    },
    isOutdated(message) {
      const report = reportOf(message);
      if (report === null) return false;
      return (known.get(report.key) ?? []).some(
        (later) =>
          later.id > report.id &&
          (later.removes === null || later.removes === "any" || isAbout(later, message)),
      );
    },
  };
}

function isAbout({ removes }: Report, { reaction_type }: ImsgMessage): boolean {
  return removes === (reaction_type ?? "custom");
}

function reportOf(message: ImsgMessage): Report | null {
  const { id, sender, poll, is_reaction, is_reaction_add, reaction_type, reacted_to_guid } = message;
  if (is_reaction === true) {
    const removes = is_reaction_add === false ? (reaction_type ?? "any") : null;
    return { key: `${reacted_to_guid} ${sender}`, id, removes };
  }
  const changed = poll?.kind === "vote" ? changedPoll(poll) : null;
  return changed === null ? null : { key: `${changed} ${sender}`, id, removes: null };
}
