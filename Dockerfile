# syntax=docker/dockerfile:1
# The image of Trunkline: one process with Node, without PostgreSQL. Set DATABASE_URL and ENCRYPTION_KEY.
#   docker build -t trunkline .
#   docker run --rm --init -p 3000:3000 -e DATABASE_URL=… -e ENCRYPTION_KEY=… -e BASE_URL=… trunkline
ARG NODE_VERSION=24.21.0
ARG DEBIAN=trixie

FROM node:${NODE_VERSION}-${DEBIAN}-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
# Not `npm ci`: the lockfile names optional packages of this platform only, which it refuses.
# Scripts of packages download programs that only tests and development need. The image brings its own Node.
RUN npm install --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run image

FROM debian:${DEBIAN}-slim
# Node without npm, headers and yarn. Its libraries (libstdc++, libgcc) are part of Debian's base.
COPY --from=build /usr/local/bin/node /usr/local/bin/node
RUN groupadd --gid 10001 trunkline \
  && useradd --uid 10001 --gid 10001 --home-dir /var/lib/trunkline --create-home --shell /usr/sbin/nologin trunkline
WORKDIR /app
# Owned by root: the process can't change its own program.
COPY --from=build /src/dist/image ./
USER 10001:10001
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/trunkline
VOLUME /var/lib/trunkline
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "scripts/healthcheck.mjs"]
CMD ["node", "scripts/start.mjs"]
