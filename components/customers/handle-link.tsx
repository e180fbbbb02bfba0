"use client";

import Link from "next/link";
import { customerHref } from "@/components/customers/customer-href";
import { useHandleName } from "@/components/customers/use-handle-name";
import { Grouped } from "@/components/data/grouped";
import { cn } from "@/lib/cn";

type HandleProps = { handle: string; className?: string };

/** A handle with its name, if it has one. For places that are already links. */
export function NamedHandle({ handle, className }: HandleProps) {
  const name = useHandleName(handle);
  return (
    <span className={cn("wrap-anywhere tabular-nums", className)}>
      {name === null ? (
        <bdi>
          <Grouped>{handle}</Grouped>
        </bdi>
      ) : (
        <>
          <bdi>{name}</bdi>{" "}
          <bdi className="font-normal text-muted-foreground">
            <Grouped>{handle}</Grouped>
          </bdi>
        </>
      )}
    </span>
  );
}

/** A handle with its name, linked to the customer's page. */
export function HandleLink({ handle, className }: HandleProps) {
  return (
    <Link href={customerHref(handle)} className={cn("hover:underline", className)}>
      <NamedHandle handle={handle} />
    </Link>
  );
}
