/** The house's import rules (ARCHITECTURE.md). Run by `make check`. */
const only = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
module.exports = {
  forbidden: [
    only(
      'no-cycles',
      'a cycle hides who needs whom',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    only(
      'web-imports-contract-only',
      'the browser knows the server by the contract alone',
      { path: '^web/' },
      { path: '^(server|cli|local|migrations|seeds|test)/' },
    ),
    only(
      'contract-stands-alone',
      'contract/ is data: zod and nothing else',
      { path: '^contract/', pathNot: '\\.test\\.ts$' },
      { path: '^(?!contract/|node_modules/zod)' },
    ),
    only(
      'koa-in-http',
      'Koa stays behind server/http',
      { path: '^(server|cli|local)/', pathNot: '^server/http/' },
      { path: 'node_modules/(koa|@koa|koa-session|grant)/', dependencyTypesNot: ['type-only'] },
    ),
    only(
      'knex-in-db-and-stores',
      'SQL lives in server/db and store files',
      { path: '^(server|cli|local)/', pathNot: '^server/(db/|features/.+(repository|views|query-builder)[.]ts$)' },
      { path: 'node_modules/knex/', dependencyTypesNot: ['type-only'] },
    ),
    only(
      'sharp-once',
      'one file decodes images',
      { path: '^(server|cli|web|contract)/', pathNot: '^server/integrations/images/|\\.test\\.ts$' },
      { path: 'node_modules/sharp/' },
    ),
    only(
      'sharp-elsewhere',
      'sharp and libvips are loaded by the image processes alone: some 20 MB that the server does without',
      { path: '^(server|cli|local)/', pathNot: '^server/integrations/images/(worker|codec)' },
      { path: '^server/integrations/images/(worker|codec)', dependencyTypesNot: ['type-only'] },
    ),
    only(
      'nodemailer-once',
      'one file sends mail',
      { path: '^(server|cli|local|web|contract)/', pathNot: '^server/integrations/mail/' },
      { path: 'node_modules/nodemailer/', dependencyTypesNot: ['type-only'] },
    ),
    only(
      'worker-in-jobs',
      'one folder knows the queue; migrations create its tables',
      { path: '^(server|cli|local|web|contract)/', pathNot: '^server/(jobs/|db/migrate[.]ts$)' },
      { path: 'node_modules/graphile-worker/', dependencyTypesNot: ['type-only'] },
    ),
    only(
      'features-are-apart',
      "another feature's store and present only",
      { path: '^server/features/([^/]+)/' },
      { path: '^server/features/([^/]+)/(routes|jobs)', pathNot: '^server/features/$1/' },
    ),
    only(
      'local-stays-local',
      'nothing imports local/ but local/ and tests',
      { path: '^(web|server|cli|contract|migrations|seeds)/', pathNot: '\\.test\\.tsx?$' },
      { path: '^local/' },
    ),
  ],
  options: {
    // TypeScript 7 has no API that dependency-cruiser could read modules with
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(web/dist|data)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: 'specify',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
