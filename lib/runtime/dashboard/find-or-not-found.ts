import "server-only";
import { notFound } from "next/navigation";
import { z } from "zod";
import { ApiError } from "@/lib/platform/errors";

/** What a page shows of an id in its path. An id that is malformed, unknown or another account's ends in "not found". */
export async function findOrNotFound<Found>(id: string, find: () => Promise<Found>): Promise<Found> {
  if (!z.uuid().safeParse(id).success) notFound();
  return find().catch((error: unknown) => {
    if (error instanceof ApiError) notFound();
    throw error;
  });
}
