import { measureSends } from "./measure-sends.mjs";

/** The path on which one of the tenant's phones writes to its line. %07d is the phone's number, starting at 1. */
export const PHONE_PATH = "/simulator/phones/+1556%07d/messages";

/** The body of a phone's message. */
export function phoneBody({ line }) {
  return JSON.stringify({ to: line, text: "Is the table for two still free? KEY" });
}

/**
 * Measures received messages per second. Simulated phones write to the line; each message goes through the same sink as
 * a transport's reports and is stored with its event before the response. One row per round and number of connections.
 */
export function measureInbound({ server, tenant, database, chats, ...options }) {
  const target = {
    baseUrl: server.baseUrl,
    path: PHONE_PATH,
    token: tenant.token,
    count: chats,
    body: phoneBody(tenant),
  };
  return measureSends([{ name: "inbound", pid: server.pid, database, target }], options);
}
