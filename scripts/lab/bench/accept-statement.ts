// load-accept-statement.mjs bundles this file, so that pgbench runs the server's own statement, not a copy.
export { ACCEPT_ONE } from "@/lib/messaging/sending/accept/accept-statement";
