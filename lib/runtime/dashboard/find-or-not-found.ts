import "server-only";
import { notFound } from "next/navigation";
import { z } from "zod";
import { ApiError } from "@/lib/platform/errors/errors";

/**
 * Loads the resource of an id in a page's path. A malformed or unknown id, or an id of another account, shows the
 * "not found" page.
 */
export async function findOrNotFound<Found>(id: string, find: () => Promise<Found>): Promise<Found> {
  if (!z.uuid().safeParse(id).success) notFound();
  return foundOrNotFound(find);
}

/** Loads the resource of a path. One that the API rejects shows the "not found" page. */
export function foundOrNotFound<Found>(find: () => Promise<Found>): Promise<Found> {
  return find().catch((error: unknown) => {
    if (error instanceof ApiError) notFound();
    throw error;
  });
}
