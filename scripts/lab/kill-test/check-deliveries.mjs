const SHOWN = 5;
/**
 * Maximum time under load from a response until it is recorded in the database. A kill within this time leaves the
 * response unrecorded.
 */
const RECORD_MS = 500;
/** A receiver can record a request shortly after its sender was killed. */
const NOTED_LATE_MS = 200;

/**
 * Compares the requests that endpoints received with their deliveries in the database, for workers killed at `killedAt`
 * (ms). Each endpoint has deliveries `{ eventId, status, successes }` and requests `{ eventId, begunAt, answeredAt,
 * status }`. Returns the problems as sentences.
 */
export function checkDeliveries({ stored, endpoints, killedAt, drainSeconds }) {
  const found = endpoints.flatMap(({ deliveries, requests }) =>
    checkEndpoint({ stored, deliveries, requests, killedAt }),
  );
  const problems = [drainSeconds === null ? "the deliveries did not come to an end" : null, ...found];
  const requests = endpoints.flatMap((endpoint) => endpoint.requests);
  const deliveries = endpoints.flatMap((endpoint) => endpoint.deliveries);
  const again = endpoints.flatMap((endpoint) => repeats(endpoint.requests));
  return {
    problems: problems.filter((problem) => problem !== null),
    details: {
      kills: killedAt.length,
      "answers in flight at a kill": requests.filter((request) =>
        killedAt.some((at) => isOpenAt(request, at)),
      ).length,
      "messages stored": stored.length,
      "deliveries expected": deliveries.length,
      "requests received": requests.length,
      "sent again after a kill": again.filter((request) => !isFailure(request)).length,
      "sent again after a failure": again.filter(isFailure).length,
      "seconds until all was done": drainSeconds,
    },
  };
}

function checkEndpoint({ stored, deliveries, requests, killedAt }) {
  const pending = new Set(deliveries.map((delivery) => delivery.eventId));
  const arrived = new Set(
    requests.filter((request) => request.status === 200).map((request) => request.eventId),
  );
  const unexplained = repeats(requests).filter(
    (request) => !isFailure(request) && !killedAt.some((at) => isUnrecordedAt(request, at)),
  );
  return [
    list(
      "events have no delivery",
      stored.filter((event) => !pending.has(event.eventId)),
    ),
    list(
      "deliveries did not end well",
      deliveries.filter((delivery) => delivery.status !== "delivered"),
    ),
    list(
      "deliveries were recorded as successful other than once",
      deliveries.filter((delivery) => delivery.successes !== 1),
    ),
    list(
      "events never arrived",
      deliveries.filter((delivery) => !arrived.has(delivery.eventId)),
    ),
    list(
      "requests are of no event with a delivery",
      requests.filter((request) => !pending.has(request.eventId)),
    ),
    list("requests were repeated although no kill could have lost their answer", unexplained),
  ];
}

/** The requests that were followed by another request with the same event. */
function repeats(requests) {
  return [...Map.groupBy(requests, (request) => request.eventId).values()].flatMap((same) =>
    same.toSorted((a, b) => a.begunAt - b.begunAt).slice(0, -1),
  );
}

function isFailure({ status }) {
  return status !== null && status >= 500;
}

function isOpenAt({ begunAt, answeredAt }, at) {
  return begunAt <= at && (answeredAt === null || answeredAt > at);
}

function isUnrecordedAt({ begunAt, answeredAt }, at) {
  return begunAt - NOTED_LATE_MS <= at && (answeredAt === null || answeredAt + RECORD_MS > at);
}

function list(what, items) {
  if (items.length === 0) return null;
  const shown = items.slice(0, SHOWN).map((item) => JSON.stringify(item));
  return `${items.length} ${what}: ${shown.join(", ")}`;
}
