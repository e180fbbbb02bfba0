import "server-only";

/** The size limit of a webhook of Stripe: its largest objects, such as invoices, list ten items and link to the rest. */
export const PROCESSOR_LIMIT_BYTES = 256 * 1024;
