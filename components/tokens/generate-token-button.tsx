"use client";

import { Plus } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { LazyOpen } from "@/components/data/lazy-open";
import { GENERATE_PARAM } from "@/components/tokens/generate-param";
import type { GenerateTokenProps } from "@/components/tokens/generate-token";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/tokens/generate-token")).GenerateToken;

/** Opens the form that generates a token. `/tokens?generate` opens it, too. */
export function GenerateTokenButton({ start }: GenerateTokenProps) {
  const isAsked = useSearchParams().has(GENERATE_PARAM);
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={{ start }}
      startsOpen={isAsked}
      trigger={
        <Button>
          <Plus />
          Generate token
        </Button>
      }
    />
  );
}
