# Builds an image of the conformance suite, with Schemathesis, from the repository:
#
#   docker build --file deploy/conformance.Dockerfile --tag rbs-conformance .
#   docker run --rm --env RBS_TOKEN rbs-conformance --base-url https://browsers.example.com
ARG BASE=debian:12-slim

FROM ${BASE} AS package
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates npm python3-venv
WORKDIR /source
COPY package.json package-lock.json ./
COPY openapi/package.json openapi/
COPY server/package.json server/
COPY bench/package.json bench/
COPY conformance/package.json conformance/
COPY clients/tunnel/package.json clients/tunnel/
COPY clients/typescript/package.json clients/typescript/
RUN npm ci --ignore-scripts && npm rebuild node esbuild
COPY . .
# npm skips packages that need a later Node than the one that runs it.
RUN node_modules/.bin/node scripts/packaging/npm.ts conformance /dist \
  && npm pack /dist --silent --pack-destination / \
  && node_modules/.bin/node "$(command -v npm)" install --no-audit --no-fund --prefix /suite /*.tgz \
  && install node_modules/node/bin/node /suite/node \
  && python3 -m venv /suite/python \
  && /suite/python/bin/pip install --no-cache-dir --requirement conformance/src/schemathesis/requirements.txt

FROM ${BASE}
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates python3 tini \
  && rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/* \
  && useradd --uid 10001 --create-home --home-dir /reports suite
COPY --from=package /suite /suite
ENV PATH=/suite/python/bin:/usr/bin:/bin
USER suite
# Reports are written here. To keep them, mount a folder.
WORKDIR /reports
ENTRYPOINT ["/usr/bin/tini", "--", "/suite/node", "/suite/node_modules/@remote-browser/conformance/main.js"]
LABEL org.opencontainers.image.title="Conformance suite of the Remote Browser Service" \
  org.opencontainers.image.source="https://github.com/remote-browser/remote-browser-service" \
  org.opencontainers.image.licenses="MIT"
