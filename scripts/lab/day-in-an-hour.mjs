// npx node scripts/lab/day-in-an-hour.mjs [--minutes 60] [--rate 300] [--speed 72]: sends and receives messages at a constant
// rate with webhooks to a good, a slow and a failing endpoint, while the platform clock runs fast enough that a day's
// retention is reached after a third of the run. Checks that memory, the age of queues, table sizes and the mean time of
// each statement stay flat. Starts its own PostgreSQL.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Agent, setGlobalDispatcher } from "undici";
import { buildIfStale } from "../build.mjs";
import { describeMachine } from "./bench/describe-machine.mjs";
import { findTools } from "./bench/find-tools.mjs";
import { runMeasurement } from "./bench/run-measurement.mjs";
import { writeResult } from "./bench/write-result.mjs";
import { driveClock } from "./day-in-an-hour/drive-clock.mjs";
import { evaluateDay } from "./day-in-an-hour/evaluate-day.mjs";
import { CHATS, openDay } from "./day-in-an-hour/open-day.mjs";
import { renderDay } from "./day-in-an-hour/render-day.mjs";
import { runLoad } from "./day-in-an-hour/run-load.mjs";
import { takeSample } from "./day-in-an-hour/take-sample.mjs";

const DAY_MINUTES = 24 * 60;
const LEAST_MINUTES = 6;
const SAMPLE_SECONDS = 30;
const LEAST_SAMPLES = 20;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    rate: { type: "string", default: "300" },
    speed: { type: "string" },
  },
});
const minutes = Number(values.minutes);
const perSecond = Number(values.rate);
const speed = values.speed === undefined ? Math.ceil((3 * DAY_MINUTES) / minutes) : Number(values.speed);
if (!(minutes >= LEAST_MINUTES) || !(perSecond > 0) || !(speed >= 1)) {
  process.stderr.write(
    `--minutes must be at least ${LEAST_MINUTES}, --rate above 0 and --speed at least 1.\n`,
  );
  process.exit(1);
}
const report = (line) => process.stdout.write(`${line}\n`);
const stops = [];

await runMeasurement(measure, stops);

async function measure() {
  setGlobalDispatcher(new Agent({ connections: 200, keepAliveTimeout: 60_000 }));
  await buildIfStale();
  const day = await openDay(stops);
  const samples = await takeSamples(day);
  const result = {
    machine: describeMachine(day.databases, findTools()),
    plan: { minutes, perSecond, speed },
    rows: evaluateDay(samples, { perSecond }),
  };
  report(`\n${renderDay(result)}`);
  report(`\nAll measurements: ${writeResult({ ...result, samples }, "-day.json")}`);
}

async function takeSamples(day) {
  const stopping = new AbortController();
  const seconds = minutes * 60;
  const { web } = day.processes;
  const load = runLoad(web, day.tenant, { perSecond, seconds, chats: CHATS, stop: stopping.signal });
  const clock = driveClock(web, day.tenant, {
    speed,
    stop: stopping.signal,
    errors: load.counts.errors,
  });
  // A failure of either ends the wait for the next sample.
  const failed = Promise.all([load.ended, clock.ended]);
  failed.catch(() => stopping.abort());

  const every = Math.min(SAMPLE_SECONDS, seconds / LEAST_SAMPLES);
  const from = performance.now();
  const samples = [];
  for (let due = 0; due <= seconds && !stopping.signal.aborted; due += every) {
    const wait = due * 1000 - (performance.now() - from);
    await sleep(Math.max(0, wait), undefined, { signal: stopping.signal }).catch(() => undefined);
    const before = samples.at(-1);
    samples.push(await takeSample(day, { changes: clock.changes, counts: load.counts, from, before }));
    report(progressLine(samples));
  }
  stopping.abort();
  await failed;
  return samples;
}

function progressLine(samples) {
  const [before, { seconds, counters, queues, memory }] = [samples.at(-2) ?? samples[0], samples.at(-1)];
  const elapsed = Math.max(1, seconds - before.seconds);
  const rate = (key) => Math.round((counters[key] - before.counters[key]) / elapsed);
  const ages = Object.entries(queues).map(
    ([name, { count, ageSeconds }]) => `${name} ${count}/${ageSeconds.toFixed(1)} s`,
  );
  const inMebibytes = Object.entries(memory).map(([name, bytes]) => `${name} ${Math.round(bytes / 2 ** 20)}`);
  return `${Math.round(seconds)} s: ${rate("sent")} out/s, ${rate("received")} in/s; due ${ages.join(", ")}; MiB ${inMebibytes.join(", ")}`;
}
