# Every target installs what it needs first, so each works in a fresh clone.
SHELL := /bin/bash
NPM_STAMP := node_modules/.package-lock.json

.PHONY: install start dev test test-pooler test-oldest check
install: $(NPM_STAMP)

# Errors only: packages that require a newer Node than the machine's run on the pinned one.
$(NPM_STAMP): package.json package-lock.json
	npm ci --no-audit --no-fund --loglevel=error
	@touch $@

# The marketplace on http://localhost:8080. Honours PORT, HOST, DATA_DIR and DATABASE_URL.
start: install
	@exec node_modules/.bin/node local/start.ts

# The same with Vite in front: the browser shows a saved file at once.
dev: install
	@exec node_modules/.bin/node local/start.ts --dev

# What finds most mistakes, or whole suites by name: make test SUITES="unit http"
test: install
	@exec node_modules/.bin/node test/run.ts $(SUITES)

# The HTTP suite with PgBouncer (Debian's package) before the database, in transaction mode.
test-pooler: install pgbouncer
	TEST_POOLER=pgbouncer npx vitest run --project 'http*' http.test listen

# The HTTP suite on the oldest PostgreSQL that we promise to run on.
test-oldest: install oldest-postgres
	TEST_POSTGRES_IMAGE=postgres:15 npx vitest run --project 'http*'

.PHONY: pgbouncer oldest-postgres
pgbouncer:
	@command -v pgbouncer >/dev/null || apt-get install -y -qq pgbouncer >/dev/null 2>&1 || { echo 'SKIPPED: no pgbouncer here'; exit 1; }

oldest-postgres:
	@docker run --rm postgres:15 postgres --version >/dev/null 2>&1 || { echo 'SKIPPED: no postgres:15 here'; exit 1; }

check: install
	npm run --silent check

.PHONY: i18n
# Compares the catalogs of messages/: fails on missing texts and wrong placeholders, lists unused and unchanged ones.
i18n: install
	node_modules/.bin/node test/rules/catalogs.ts

.PHONY: chart
# Lints, renders and checks helm/tradepost. Skips with the reason where helm 4 is not available.
chart: install
	npx vitest run --project chart

.PHONY: fuzz mutate
# Requests made from the contract, in every role: FUZZ_REQUESTS of them. FUZZ_SEED repeats a run.
fuzz: install
	FUZZ_REQUESTS=$${FUZZ_REQUESTS:-20000} npx vitest run --project http test/security/fuzz.http.test.ts

# Takes away each authorization rule and guard in turn. The tests must notice each of them.
mutate: install
	node_modules/.bin/node test/security/mutate-policy.ts

.PHONY: openapi
# openapi-spec-validator and Schemathesis on the OpenAPI document and the API, as visitor, member and administrator:
# SCHEMATHESIS_EXAMPLES requests to each operation. SCHEMATHESIS_SEED repeats a run. The tools are Python packages, installed
# outside of the checkout; skips with the reason where they cannot be had.
openapi: install
	SCHEMATHESIS_EXAMPLES=$${SCHEMATHESIS_EXAMPLES:-30} npx vitest run --project openapi

.PHONY: image docker-test
# BUILD_CA_FILE: the certificates to trust while building, where the network has its own authority.
image:
	docker build $(if $(BUILD_CA_FILE),--secret id=ca$(comma)src=$(BUILD_CA_FILE)) --tag tradepost:$$(sed -n 's/^  "version": "\(.*\)",/\1/p' package.json) \
	  --build-arg REVISION=$$(git rev-parse HEAD) --build-arg VERSION=$$(sed -n 's/^  "version": "\(.*\)",/\1/p' package.json) .
comma := ,

# Image, compose files, proxy, upgrade and backup, with real containers. Skips with the reason where no Docker engine answers.
docker-test: install
	npx vitest run --project docker

.PHONY: engines
# The main job and every page in Firefox and WebKitGTK, whose Debian packages root gets installed. Screenshots of every page
# in two sizes and themes go to test/screenshots/engines.
engines: install
	@exec node_modules/.bin/node test/run.ts engines

.PHONY: html audit
# The first HTML of every page as a visitor, a member and an administrator, and every page and dialog in the browser,
# in the Nu HTML Checker. Skips with the reason where there is no Java.
html: install
	HTML_IN_BROWSER=1 npx playwright test valid-html

# Known vulnerabilities in the packages of the server, of the pages and of the tools that build them. Not every npm registry
# can say.
audit: install
	@said=$$(npm audit 2>&1); status=$$?; echo "$$said"; \
	! grep -q 'audit endpoint returned an error' <<<"$$said" || echo 'SKIPPED: this npm registry does not list vulnerabilities'; \
	exit $$status

.PHONY: cluster-test
# Installs, upgrades, drains, backs up, restores and uninstalls the chart on the cluster that kubectl reaches. Skips with the
# reason where there is none. The nodes need CLUSTER_IMAGE (tradepost:0.1.0), CLUSTER_NEXT and POSTGRES_IMAGE (postgres:17).
cluster-test: install
	npx vitest run --project cluster

.PHONY: drill drill-planted
# People write through two replicas while processes, PostgreSQL, connections, disks and S3 fail; then everything acknowledged
# is read back. 50 seeds, about 20 minutes. One seed again: node test/drill/main.ts --seed 7
drill: install
	@exec node_modules/.bin/node test/drill/main.ts

# Plants each bug of test/drill/planted-bugs in turn into a copy of the checkout. The drill must find each of them.
drill-planted: install
	@exec node_modules/.bin/node test/drill/main.ts --planted --seeds 10

.PHONY: screenshots
# The pictures of README.md, in docs/images: a marketplace with the sample data, in Chromium.
screenshots: install
	@exec node_modules/.bin/node test/screenshots.ts

.PHONY: search-quality
# How well the search finds what people expect, in each set and language; minutes (test/search-quality/README.md).
search-quality: install
	@exec node_modules/.bin/node test/search-quality/main.ts --verbose

.PHONY: lighthouse
# Prints scores and metrics of three pages on a phone in three languages (Lighthouse, mobile preset). Never fails.
lighthouse: install
	@exec node_modules/.bin/node test/lighthouse/run.ts

.PHONY: inp
# Prints how long a slow phone takes from a tap or key to the next frame, action by action. Never fails.
inp: install
	@exec node_modules/.bin/node test/lighthouse/inp.ts

.PHONY: bench bench-quick vegeta wrk
# Load comes from wrk (Debian's package); without it there is nothing to compare.
wrk:
	@command -v wrk >/dev/null || apt-get install -y -qq wrk >/dev/null 2>&1 || { echo 'SKIPPED: no wrk here'; exit 1; }

# 10,000 and 1,000,000 ads: 12 minutes, and 13 to 30 more to create them the first time. Updates docs/PERFORMANCE.md; all figures go to data/bench/results.
# Single rows, in seconds: node test/bench/main.ts --only 304. Reads while others write: --quick --only mixed.
bench: install wrk
	@NODE_OPTIONS=--max-old-space-size=4096 node_modules/.bin/node test/bench/main.ts

# The same server under a constant rate (vegeta, built by Go outside of the checkout) beside wrk's figures, with 100,000 ads.
vegeta: install wrk
	@node_modules/.bin/node test/bench/constant-rate.ts

# 100,000 ads. Names the figures that are far below their promise.
bench-quick: install wrk
	@node_modules/.bin/node test/bench/main.ts --quick

.PHONY: bench-index
# Lists and searches with a million ads while the job reads the words of ads again; two minutes.
bench-index: install wrk
	@exec node_modules/.bin/node test/bench/reads-while-indexing.ts

# How long webhooks wait while a fifth of their receivers never answers; two minutes. Prints a table.
.PHONY: bench-webhooks
bench-webhooks: install
	@exec node_modules/.bin/node test/bench/webhooks.ts

# Ten thousand ads of a file: preview, import, and the file once more; two minutes. Prints a table.
.PHONY: bench-imports
bench-imports: install
	@exec node_modules/.bin/node --expose-gc test/bench/imports.ts

# Lists, searches and ads beside such an import by a job of the server; four minutes. Prints a table.
.PHONY: bench-imports-beside
bench-imports-beside: install wrk
	@exec node_modules/.bin/node test/bench/reads-while-importing.ts

.PHONY: overload soak
# What one process does at most, ten times that for a minute, hostile clients; about ten minutes. Prints a table.
# Hostile clients alone: node test/load/overload.ts --hostile slowly
overload: install
	@exec node_modules/.bin/node test/load/overload.ts

# An hour at a fifth of what one process can do. Prints what it uses every five minutes, and whether any of it grows.
soak: install
	@exec node_modules/.bin/node test/load/soak.ts
