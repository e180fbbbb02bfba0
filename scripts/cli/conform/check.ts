/** The areas of `conform`, in the order in which they run. */
export const AREAS = [
  "tokens",
  "operations",
  "inputs",
  "lists",
  "idempotency",
  "sends",
  "webhooks",
  "phones",
  "limits",
] as const;

export type Area = (typeof AREAS)[number];

/** The result of one check. */
export interface Check {
  /** The area and what was checked, for example `lists/GET /v3/chats/pages`. The same in every run. */
  id: string;
  area: Area;
  outcome: "passed" | "different" | "skipped";
  /** The section of the contract that promises the behavior. */
  section: string;
  expected: string;
  /** The differences, or the reason why the check was skipped. */
  seen: string;
  /** The request, without secrets. */
  request?: string;
  /** Fields that are allowed, although the document does not name them. */
  notes?: readonly string[];
}

/** The subject of a check, without its result. */
export interface Subject {
  area: Area;
  name: string;
  section: string;
  expected: string;
  request?: string | undefined;
}

/** The problems and notes of one check that a report shows. A server can send any number of them. */
const MAX_PROBLEMS = 12;
const MAX_NOTES = 50;
const MAX_LENGTH = 1000;

/** The result of a check. A problem is a difference; a reason to skip wins over problems. */
export interface Finding {
  problems?: readonly string[];
  skip?: string | null;
  notes?: readonly string[];
}

/** The checks of one run. */
export class Checks {
  readonly all: Check[] = [];

  /** `redact` removes the secrets of the run from a text. */
  constructor(private readonly redact: (text: string) => string) {}

  add({ area, name, section, expected, request }: Subject, finding: Finding): Check {
    const { problems = [], skip = null, notes = [] } = finding;
    const outcome = skip !== null ? "skipped" : problems.length > 0 ? "different" : "passed";
    const check: Check = {
      id: `${area}/${name}`,
      area,
      outcome,
      section,
      expected,
      seen: this.shown(skip ?? (problems.slice(0, MAX_PROBLEMS).join("; ") || "as expected")),
      ...(request !== undefined && { request }),
      ...(notes.length > 0 && { notes: notes.slice(0, MAX_NOTES).map((note) => this.shown(note)) }),
    };
    this.all.push(check);
    return check;
  }

  skip(area: Area, name: string, reason: string): void {
    this.add({ area, name, section: "", expected: "" }, { skip: reason });
  }

  private shown(text: string): string {
    const shown = this.redact(text);
    return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}…` : shown;
  }

  has(id: string): boolean {
    return this.all.some((check) => check.id === id);
  }
}
