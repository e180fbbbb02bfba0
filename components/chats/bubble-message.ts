import type { Service, StatusOf } from "@/components/data/status-badge";

/** What a bubble needs of a part, whatever its type. */
export type BubblePart = {
  type: string;
  value?: string;
  filename?: string;
  mime_type?: string;
  size_bytes?: number;
  url?: string | null;
};

/** What a bubble needs of the wire's Message. */
export type BubbleMessage = {
  id: string;
  is_from_me: boolean;
  delivery_status: StatusOf<"delivery">;
  service?: Service | null;
  parts?: BubblePart[] | null;
  created_at: string;
  sent_at?: string | null;
  delivered_at?: string | null;
  read_at?: string | null;
};

export type MessageFailure = {
  code: number;
  reason: string;
  /** What to do about it, and where that is explained. */
  advice?: string;
  doc_url?: string;
};
