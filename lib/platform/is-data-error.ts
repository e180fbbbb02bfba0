import "server-only";
import pg from "pg";

/** Whether the database refused a statement for the values in it (SQLSTATE class 22): it will not take them later. */
export function isDataError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith("22") === true;
}
