"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { type DataColumn, DataTable } from "@/components/data/data-table";
import { Grouped } from "@/components/data/grouped";
import { attempt, phoneRequests } from "@/components/phones/phone-requests";
import { Button } from "@/components/ui/button";
import type { MagicHandle } from "@/lib/simulator/magic-handles/magic-handles";

type MagicHandlesProps = {
  handles: readonly MagicHandle[];
  /** The handles of the account's phones. */
  existing: ReadonlySet<string>;
  maySend: boolean;
  /** Shows the phone of a handle, which exists. */
  onShow: (handle: string) => void;
};

/** The numbers that behave in a known way, each with a button that adds its phone to the page. */
export function MagicHandles({ handles, existing, maySend, onShow }: MagicHandlesProps) {
  const [adding, setAdding] = useState<string | null>(null);

  async function add(handle: string): Promise<void> {
    setAdding(handle);
    const phone = await attempt(phoneRequests(handle).addMagic());
    setAdding(null);
    if (phone !== null) onShow(phone.handle);
  }

  const columns: DataColumn<MagicHandle>[] = [
    {
      key: "handle",
      header: "Number",
      cell: ({ handle }) => (
        <span className="font-medium tabular-nums">
          <Grouped>{handle}</Grouped>
        </span>
      ),
    },
    { key: "name", header: "Name", cell: ({ name }) => name },
    {
      key: "effect",
      header: "Effect",
      className: "whitespace-normal",
      cell: ({ effect }) => <span className="text-muted-foreground max-sm:text-right">{effect}</span>,
    },
    {
      key: "phone",
      header: "Phone",
      hideHeader: true,
      className: "text-right",
      cell: ({ handle, name }) =>
        existing.has(handle) ? (
          <Button
            variant="ghost"
            size="sm"
            aria-label={`Show phone of ${name}`}
            onClick={() => onShow(handle)}
          >
            Show phone
          </Button>
        ) : (
          maySend && (
            <Button
              variant="outline"
              size="sm"
              aria-label={`Add phone of ${name}`}
              disabled={adding !== null}
              onClick={() => void add(handle)}
            >
              <Plus />
              Add phone
            </Button>
          )
        ),
    },
  ];

  return (
    <section aria-labelledby="magic-handles" className="flex flex-col gap-3">
      <div>
        <h2 id="magic-handles" className="font-semibold text-lg">
          Magic handles
        </h2>
        <p className="text-muted-foreground text-sm">
          Numbers that behave in a known way. You can send to a magic handle before you add its phone.
        </p>
      </div>
      <DataTable
        label="Magic handles"
        columns={columns}
        rows={[...handles]}
        rowKey={({ handle }) => handle}
      />
    </section>
  );
}
