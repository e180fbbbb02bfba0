"use client";

import { useRouter } from "next/navigation";
import { SearchBox } from "@/components/data/search-box";
import { queryString } from "@/lib/client/query-string";

/** Searches the blocks; the address keeps it. */
export function BlockSearch({ search }: { search: string }) {
  const router = useRouter();
  return (
    <search>
      <SearchBox
        key={search}
        label="Search by part of a number or e-mail address"
        placeholder="Part of a number or e-mail"
        value={search}
        onSearch={(text) => router.replace(`/blocked-handles${queryString({ q: text.trim() })}`)}
      />
    </search>
  );
}
