const HOUR_MS = 3_600_000;
const MORNING = 9;
const MONDAY = 1;

/** When a snooze may end. */
export interface SnoozeTime {
  label: string;
  until: Date;
}

/** The offered ends of a snooze, earliest first, in the browser's time zone. All are after `nowMs`. */
export function snoozeTimes(nowMs: number): SnoozeTime[] {
  const tomorrow = morningIn(nowMs, 1);
  const toMonday = (MONDAY - new Date(nowMs).getDay() + 7) % 7 || 7;
  return [
    { label: "In 1 hour", until: new Date(nowMs + HOUR_MS) },
    { label: "In 4 hours", until: new Date(nowMs + 4 * HOUR_MS) },
    { label: "Tomorrow morning", until: tomorrow },
    // On Sunday, Monday morning is tomorrow morning, and on Monday in a week.
    ...(toMonday === 1 || toMonday === 7
      ? []
      : [{ label: "Monday morning", until: morningIn(nowMs, toMonday) }]),
    { label: "In 1 week", until: morningIn(nowMs, 7) },
  ].toSorted((a, b) => a.until.getTime() - b.until.getTime());
}

function morningIn(nowMs: number, days: number): Date {
  const morning = new Date(nowMs);
  morning.setDate(morning.getDate() + days);
  morning.setHours(MORNING, 0, 0, 0);
  return morning;
}
