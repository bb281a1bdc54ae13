# syntax=docker/dockerfile:1

# Debian slim, not Alpine: the tests run on glibc, and the official Node.js builds for musl are experimental.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# The build needs no install scripts. One of them, of the `node` package, would fetch a second Node.js.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY *.ts ./
COPY cli cli
COPY dashboard dashboard
COPY lib lib
COPY plugins plugins
COPY routes routes
COPY schemas schemas
COPY services services
COPY tools tools
RUN npm run build

FROM node:24-slim
ENV NODE_ENV=production GATEWAY_ENV=production HOST=0.0.0.0 PORT=3000 DASHBOARD_PORT=3001 DATA_DIR=/data
# What messages put before an operator's command. The host name of a container is its ID.
ENV CLI_COMMAND="docker exec -it {hostname} node dist/cli.js"
WORKDIR /app
RUN mkdir /data compile-cache && chown node:node /data compile-cache
COPY package.json package-lock.json ./
# Declarations, source maps and Stripe's second half (CommonJS) are never loaded.
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force \
  && find node_modules -type f '(' -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' ')' -delete \
  && rm -r node_modules/stripe/cjs
COPY --from=build /app/dist dist

# The commit in GET /version: docker build --build-arg COMMIT=$(git rev-parse HEAD) .
ARG COMMIT=
ENV GATEWAY_COMMIT=$COMMIT

USER node
# Compiles the modules once, at build time: a start loads its code from this cache. The cache is bound to the version of
# Node.js and to the user.
ENV NODE_COMPILE_CACHE=/app/compile-cache
RUN node -e 'for (const file of ["app", "dashboard-app", "services/create-services", "tools/catalog", "lib/database/postgres", "lib/rate-counters/redis-counters"]) import("/app/dist/" + file + ".js")'
# The gateway, and the dashboard (with DASHBOARD_URL).
EXPOSE 3000 3001
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]

# Node.js is process 1. It handles SIGTERM and SIGINT itself (it drains) and waits for the child processes of the web tools,
# which have no children, so it needs no init. The exec form avoids a shell as process 1.
CMD ["node", "--max-semi-space-size=4", "dist/server.js"]
