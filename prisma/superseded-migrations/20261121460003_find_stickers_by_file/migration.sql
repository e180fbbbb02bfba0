-- CreateIndex
CREATE INDEX "reactions_picture_idx" ON "reactions" USING GIN ("picture" jsonb_path_ops) WHERE (picture IS NOT NULL);
