import "server-only";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Seconds, from a fast local step to a backlog of ten minutes. */
const LAG_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 600];

/** The metrics of this process. Labels never contain content, handles or accounts. */
export const registry = new Registry();

const registers = [registry];

/** HTTP responses of the API by method and class of status. */
export const httpResponses = new Counter({
  name: "trunkline_http_responses_total",
  help: "Responses of the API by method and status class.",
  labelNames: ["method", "status"],
  registers,
});

export const acceptedMessages = new Counter({
  name: "trunkline_messages_accepted_total",
  help: "Outbound messages that were accepted and stored.",
  registers,
});

export const dispatchLag = new Histogram({
  name: "trunkline_dispatch_lag_seconds",
  help: "Time from the acceptance of a message to its first attempt at a transport.",
  buckets: LAG_BUCKETS,
  registers,
});

export const sendResults = new Counter({
  name: "trunkline_send_attempts_total",
  help: "Attempts to send a message by transport and result: sent, failed, held or again.",
  labelNames: ["transport", "result"],
  registers,
});

export const webhookLag = new Histogram({
  name: "trunkline_webhook_lag_seconds",
  help: "Time from an event to the end of the first attempt of its webhook.",
  buckets: LAG_BUCKETS,
  registers,
});

export const webhookAttempts = new Counter({
  name: "trunkline_webhook_attempts_total",
  help: "Attempts of webhooks by outcome: success, or the class of the status or of the error.",
  labelNames: ["outcome"],
  registers,
});

export const mailResults = new Counter({
  name: "trunkline_mail_attempts_total",
  help: "Attempts to send an email by type and result: sent, retried or given_up.",
  labelNames: ["type", "result"],
  registers,
});

export const operatorNotifications = new Counter({
  name: "trunkline_operator_notifications_total",
  help: "Attempts to post an alert to OPERATOR_WEBHOOK_URL by result: sent, retried or given_up.",
  labelNames: ["result"],
  registers,
});

export const exportedSpans = new Counter({
  name: "trunkline_spans_total",
  help: "Spans of traces by result: exported, refused by the endpoint, or dropped because too many waited.",
  labelNames: ["result"],
  registers,
});

export const setAsideEvents = new Counter({
  name: "trunkline_events_set_aside_total",
  help: "Inbound events that were set aside for an operator because they could not be stored, by type.",
  labelNames: ["type"],
  registers,
});

export const refusedEvents = new Counter({
  name: "trunkline_events_refused_total",
  help: "Inbound events that transports refused.",
  registers,
});

export const poolConnections = new Gauge({
  name: "trunkline_database_connections",
  help: "Connections of this process's database pools by state, and statements that wait for one.",
  labelNames: ["pool", "state"],
  registers,
});

export const databaseUp = new Gauge({
  name: "trunkline_database_up",
  help: "1 when the database answered the last scrape, otherwise 0.",
  registers,
});

export const queueDepth = new Gauge({
  name: "trunkline_queue_depth",
  help: "Due items of a queue, of the whole instance. At most 10000 are counted.",
  labelNames: ["queue"],
  registers,
});

export const queueOldest = new Gauge({
  name: "trunkline_queue_oldest_seconds",
  help: "How long the oldest due item of a queue has been due.",
  labelNames: ["queue"],
  registers,
});

export const lastBackup = new Gauge({
  name: "trunkline_last_backup_timestamp_seconds",
  help: "When the last backup ended, in seconds since 1970. 0 = never.",
  registers,
});

// Every 10 ms, the default, would wake an idle process 100 times per second.
collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
