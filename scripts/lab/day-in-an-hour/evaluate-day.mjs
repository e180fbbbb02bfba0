import { summarize } from "../bench/statistics.mjs";

const MAX_GROWTH = 1.15;
const MAX_AGE_SECONDS = 2;
const MAX_AGE_GROWTH = 1.5;
const MAX_SLOWDOWN = 1.5;
const SLOWER_MS = 0.1;
const LEAST_CALLS = 50;
const LEAST_SHARE = 0.002;
const LEAST_RATE = 0.95;

/** The tables whose rows are deleted after a day. Those of messages only lose their content. */
const SWEPT = ["events", "webhook_deliveries", "webhook_attempts", "api_requests"];
const SIZES = {
  rows: { label: ", rows", unit: 1000, note: "thousands, the most" },
  bytes: { label: "", unit: 2 ** 20, note: "MiB, the most" },
  indexBytes: { label: ", indexes", unit: 2 ** 20, note: "MiB, the most" },
};
/** Statements that delete or erase have work only once rows have reached the retention period. */
const DELETES = /\bdelete from\b|deleted_at/i;

/**
 * Splits the samples in three equal parts of the run: before retention, and two parts with it. Returns the rows of the
 * report, `{ check, isMet, parts, note }`, with one value per part. A row whose `isMet` is null is only shown.
 */
export function evaluateDay(samples, { perSecond }) {
  const thirds = splitInThirds(samples);
  return [
    ...rateRows(thirds, perSecond),
    ...memoryRows(thirds),
    ...queueRows(thirds),
    ...tableRows(thirds),
    ...statementRows(thirds),
    ...errorRows(samples.at(-1)),
  ];
}

/** The samples of each third of the run. A part begins with the last sample of the one before, for differences. */
function splitInThirds(samples) {
  const end = samples.at(-1).seconds;
  const cut = [0, 1, 2].map((part) => samples.findLastIndex(({ seconds }) => seconds <= (end * part) / 3));
  return [
    samples.slice(Math.max(0, cut[0]), cut[1] + 1),
    samples.slice(cut[1], cut[2] + 1),
    samples.slice(cut[2]),
  ];
}

function rateRows(thirds, perSecond) {
  const rates = (pick) => thirds.map((samples) => rateOf(samples, pick));
  const asked = (check, key) => {
    const parts = rates(({ counters }) => counters[key]);
    return { check, parts, isMet: parts.every((rate) => rate >= perSecond * LEAST_RATE), note: "per second" };
  };
  const endpoints = Object.keys(thirds[0][0].counters.answers);
  return [
    asked("messages sent", "sent"),
    asked("messages received", "received"),
    {
      check: "left out, because 100 requests were open",
      parts: rates(({ counters }) => counters.leftOut),
      isMet: null,
      note: "per second",
    },
    ...endpoints.map((name) => ({
      check: `webhooks to the ${name} endpoint`,
      parts: rates(({ counters }) => sum(Object.values(counters.answers[name]))),
      isMet: null,
      note: "per second",
    })),
  ];
}

function memoryRows(thirds) {
  return Object.keys(thirds[0][0].memory).map((name) => {
    const parts = thirds.map(
      (samples) => summarize(samples.map(({ memory }) => memory[name])).median / 2 ** 20,
    );
    return { check: `memory of ${name}`, parts, isMet: parts[2] <= parts[1] * MAX_GROWTH, note: "MiB" };
  });
}

function queueRows(thirds) {
  return Object.keys(thirds[0][0].queues).map((name) => {
    const parts = thirds.map(
      (samples) => summarize(samples.map(({ queues }) => queues[name].ageSeconds)).max,
    );
    const isMet = parts[2] <= Math.max(MAX_AGE_SECONDS, parts[1] * MAX_AGE_GROWTH);
    return { check: `oldest due: ${name}`, parts, isMet, note: "s, the most" };
  });
}

function tableRows(thirds) {
  const last = thirds[2].at(-1).tables;
  return Object.keys(last)
    .toSorted((a, b) => size(last[b]) - size(last[a]))
    .flatMap((name) =>
      Object.entries(SIZES).map(([key, { label, unit, note }]) => {
        const parts = thirds.map(
          (samples) => summarize(samples.map(({ tables }) => tables[name]?.[key] ?? 0)).max / unit,
        );
        const isMet = SWEPT.includes(name) ? parts[2] <= parts[1] * MAX_GROWTH : null;
        return { check: `${name}${label}`, parts, isMet, note };
      }),
    );
}

// The mean time of each statement that matters, in ms. A statement that deletes, or that hardly ran before anything was
// deleted, is compared with the middle part.
function statementRows(thirds) {
  const last = thirds[2].at(-1).statements;
  const total = sum(Object.values(last).map(({ ms }) => ms));
  return Object.entries(last)
    .filter(([, { ms }]) => ms >= total * LEAST_SHARE)
    .toSorted(([, a], [, b]) => b.ms - a.ms)
    .map(([id, { text }]) => {
      const means = thirds.map((samples) => meanOf(samples, id));
      const start = DELETES.test(text) || means[0].calls < LEAST_CALLS ? means[1] : means[0];
      return {
        check: `statement: ${text.replace(/\s+/g, " ").slice(0, 70)}`,
        parts: means.map(({ mean }) => mean),
        isMet: isAsFast(start, means[2]),
        note: `ms, ${Math.round(means[2].calls)} calls`,
        text,
      };
    });
}

function isAsFast(start, end) {
  if (start.calls < LEAST_CALLS || end.calls < LEAST_CALLS) return null;
  return end.mean <= start.mean * MAX_SLOWDOWN || end.mean - start.mean <= SLOWER_MS;
}

function meanOf(samples, id) {
  const none = { calls: 0, ms: 0 };
  const [from, to] = [samples[0].statements[id] ?? none, samples.at(-1).statements[id] ?? none];
  const calls = to.calls - from.calls;
  return { calls, mean: calls === 0 ? Number.NaN : (to.ms - from.ms) / calls };
}

function errorRows({ counters }) {
  const errors = Object.entries(counters.errors);
  return [
    { check: "requests without an error", parts: [], isMet: errors.length === 0, note: "" },
    ...errors.map(([text, count]) => ({
      check: `error: ${text}`,
      parts: [],
      isMet: false,
      note: `${count} times`,
    })),
  ];
}

function rateOf(samples, pick) {
  const [from, to] = [samples[0], samples.at(-1)];
  return (pick(to) - pick(from)) / (to.seconds - from.seconds);
}

function size({ bytes, indexBytes }) {
  return bytes + indexBytes;
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
