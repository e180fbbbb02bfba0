import { orderOf, percentiles, summarize } from "../bench/statistics.mjs";

const WARM_UP = 3;
const PAGES_DOWN = 5;
const PAGE = 100;

/**
 * Measures every read on both servers with one user: one request at a time, alternating between the servers in every
 * round. A server is `{ baseUrl, reads, token, cookie }`; both have the same reads in the same order. Returns a row per
 * read: p50 and p95 in ms of each server, the ratio of the p50s of each round, or the reason why it failed.
 */
export async function measureReads({ small, large }, { rounds, requests, report }) {
  const rows = [];
  for (const [index, read] of large.reads.entries()) {
    const pair = [
      { ...small, read: small.reads[index] },
      { ...large, read },
    ];
    try {
      rows.push({ name: read.name, ...(await measurePair(pair, { rounds, requests })) });
    } catch (error) {
      rows.push({ name: read.name, error: error.message });
    }
    if (index % 10 === 9) report(`  ${index + 1}/${large.reads.length} reads`);
  }
  return rows;
}

async function measurePair(pair, { rounds, requests }) {
  for (const server of pair) for (let count = 0; count < WARM_UP; count++) await timeRead(server);
  const times = pair.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const server of orderOf(pair, round)) {
      const ofRound = [];
      for (let count = 0; count < requests; count++) ofRound.push(await timeRead(server));
      times[pair.indexOf(server)].push(ofRound);
    }
  }
  const [small, large] = times.map((ofRounds) => percentiles(ofRounds.flat()));
  const p50Of = (rounds, round) => percentiles(rounds[round]).p50;
  const ratios = times[0].map((_, round) => p50Of(times[1], round) / p50Of(times[0], round));
  return { small, large, ratio: summarize(ratios) };
}

async function timeRead(server) {
  const from = performance.now();
  await requestRead(server, server.read);
  return performance.now() - from;
}

/** Requests a read as its user and returns the body. Throws unless the response is 200. */
export async function requestRead({ baseUrl, token, cookie }, { url, isApi }) {
  const headers = isApi ? { authorization: `Bearer ${token}` } : { cookie };
  const response = await fetch(`${baseUrl}${url}`, { headers, redirect: "manual" });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 200)}`);
  return text;
}

/**
 * Adds an older page of every list that has one on both servers: the page after 500 rows, as a person would find it by
 * turning pages.
 */
export async function addOlderPages({ small, large }) {
  const older = { small: [], large: [] };
  for (const [index, read] of large.reads.entries()) {
    if (read.isPage) continue;
    const pages = [await findOlder(small, small.reads[index]), await findOlder(large, read)];
    if (pages.includes(null)) continue;
    older.small.push(pages[0]);
    older.large.push(pages[1]);
  }
  small.reads = [...small.reads, ...older.small];
  large.reads = [...large.reads, ...older.large];
}

async function findOlder(server, read) {
  const withQuery = (query) => `${read.url}${read.url.includes("?") ? "&" : "?"}${query}`;
  let url = withQuery(`limit=${PAGE}`);
  for (let page = 0; page < PAGES_DOWN; page++) {
    const cursor = await readCursor(server, { ...read, url });
    if (typeof cursor !== "string") return null;
    url = withQuery(`limit=${PAGE}&cursor=${encodeURIComponent(cursor)}`);
  }
  return { ...read, name: `${read.name} (500 down)`, url: url.replace(`limit=${PAGE}`, "limit=50") };
}

async function readCursor(server, read) {
  try {
    return JSON.parse(await requestRead(server, read))?.next_cursor;
  } catch {
    // Refused, or a document: neither has pages.
    return undefined;
  }
}
