-- Why a line is down, and the lines behind one whose vendor is another Trunkline.
ALTER TABLE "lines"
  ADD COLUMN "down_reason" TEXT,
  ADD COLUMN "down_since" TIMESTAMPTZ(3),
  ADD COLUMN "upstream_lines" JSONB;
