# Every target installs what it needs first, so each works in a fresh clone.
SHELL := /bin/bash
NPM_STAMP := node_modules/.package-lock.json

.PHONY: install check
install: $(NPM_STAMP)

$(NPM_STAMP): package.json package-lock.json
	npm ci --no-audit --no-fund
	@touch $@

check: install
	npm run --silent check

.PHONY: chart
# Lints, renders and checks helm/tradepost; skips, saying why, where no helm 4 can be had.
chart: install
	npx vitest run --config test/chart/vitest.config.ts
