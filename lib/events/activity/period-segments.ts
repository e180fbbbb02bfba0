const QUARTER_MS = 15 * 60_000;
const DAY_MS = 86_400_000;

/** Rows of `line_activity` of one length that begin from `from` to before `to`. */
export interface Segment {
  minutes: 15 | 1440;
  from: Date;
  to: Date;
}

/**
 * Divides the time from `start` through the quarter of an hour of `until` into whole days of UTC, which are read from the
 * rows of days, and the quarters before and after them. `start` begins a quarter.
 */
export function periodSegments(start: Date, until: Date): Segment[] {
  const from = start.getTime();
  const to = Math.floor(until.getTime() / QUARTER_MS) * QUARTER_MS + QUARTER_MS;
  const firstDay = Math.ceil(from / DAY_MS) * DAY_MS;
  const lastDay = Math.floor(to / DAY_MS) * DAY_MS;
  if (firstDay >= lastDay) return [segment(15, from, to)];
  return [segment(15, from, firstDay), segment(1440, firstDay, lastDay), segment(15, lastDay, to)].filter(
    (part) => part.from < part.to,
  );
}

function segment(minutes: Segment["minutes"], from: number, to: number): Segment {
  return { minutes, from: new Date(from), to: new Date(to) };
}
