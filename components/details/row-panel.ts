import type { ReactNode } from "react";

/** The details of a row that a list opens in a side panel. */
export interface RowPanel {
  /** The API path of the details. */
  path: string;
  /** The path of the full page. */
  href: string;
  /** The view of the full page. Its `DetailsPage` becomes the content of the panel. */
  view: (details: never) => ReactNode;
}
