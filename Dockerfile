# By digest, so that the same sources make the same image; a newer one as docs/deployment.md says.
ARG NODE=node:24-bookworm-slim@sha256:235600a8101ab264e117b1768e925532262668dc9b581ef1dd7d96ced463b8e7

FROM $NODE AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY build.mjs tsconfig.json tsconfig.build.json ./
COPY src src
COPY migrations migrations
COPY config config
COPY docs docs
# What the types of the client are made of.
COPY test/contract/golden test/contract/golden
RUN npm run build && npm run sbom

# Without the embedded servers' binaries, which are optional packages: here PostgreSQL and Redis are configured.
FROM $NODE AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional

FROM $NODE
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json CHANGELOG.md ./
COPY config config
# Large Excel workbooks wait here until the last byte has come, also where the root file system is read-only.
VOLUME /tmp
# The user "node", by number so that a cluster can tell that it is not root.
USER 1000:1000
EXPOSE 3000
# A worker serves no HTTP: switch this off for it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Without npm or a shell before it, so that signals arrive.
CMD ["node", "dist/src/main.js"]
