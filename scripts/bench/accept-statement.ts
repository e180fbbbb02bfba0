// What pgbench runs is the server's own statement, not a copy: load-accept-statement.mjs bundles this file.
export { ACCEPT_ONE } from "@/lib/messaging/messages/accept-statement";
