import { notFound } from "next/navigation";

export const metadata = { title: "Not found" };

/** Every URL without a page of its own. */
export default function UnmatchedPage() {
  notFound();
}
