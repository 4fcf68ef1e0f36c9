/** The house's import rules (ARCHITECTURE.md). Run by `make check`. */
const only = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** The folders and files of server/. Each imports only from those before it. */
const ROOMS = [
  'errors',
  'lib',
  'config',
  'observability',
  'db',
  'policy',
  'integrations',
  'app-context',
  'jobs',
  'endpoints',
  'features',
  'job-handlers',
  'http',
  'main',
];
const toPath = (rooms) => `^server/(${rooms.join('|')})(/|[.]ts$)`;

module.exports = {
  forbidden: [
    only('no-cycles', 'a cycle, of types too, hides who needs whom', {}, { circular: true }),
    ...ROOMS.slice(0, -1).map((room, at) =>
      only(
        `${room}-knows-nothing-above`,
        'imports in server/ run one way, from a room to those before it in ROOMS',
        { path: toPath([room]), pathNot: '\\.test\\.ts$' },
        { path: toPath(ROOMS.slice(at + 1)) },
      ),
    ),
    only(
      'web-imports-contract-only',
      'the browser knows the server by the contract alone',
      { path: '^web/' },
      { path: '^(server|cli|local|migrations|seeds|test)/' },
    ),
    only(
      'contract-stands-alone',
      'contract/ is data: zod and the English texts, nothing else',
      { path: '^contract/', pathNot: '\\.test\\.ts$' },
      { path: '^(?!contract/|messages/en/|node_modules/zod)' },
    ),
    only(
      'koa-in-http',
      'Koa stays behind server/http; the X simulator is a server of its own',
      { path: '^(server|cli|local)/', pathNot: '^(server/http|local/x-simulator)/' },
      { path: 'node_modules/(koa|@koa|koa-session|grant)/', dependencyTypesNot: ['type-only'] },
    ),
    only(
      'knex-in-db-and-repositories',
      'SQL lives in server/db and repositories; test/rules/sql-by-use.ts looks for its use',
      { path: '^(server|cli|local)/', pathNot: '^server/(db/|features/.+repository[.]ts$)' },
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
      { path: '^(server|cli|local)/', pathNot: '^server/integrations/images/(worker|codec|logo)[.]' },
      { path: '^server/integrations/images/(worker|codec|logo)[.]', dependencyTypesNot: ['type-only'] },
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
      "another feature's repository, presenter and named files only: routes, services and jobs are private",
      { path: '^server/features/([^/]+)/' },
      { path: '^server/features/([^/]+)/(routes|service|jobs)[.]ts$', pathNot: '^server/features/$1/' },
    ),
    only(
      'repositories-only-query',
      'a repository runs inside services and jobs and knows neither',
      { path: '^server/features/.+repository[.]ts$' },
      { path: '(^server/(http|jobs)/|/(routes|service|jobs|presenter)[.]ts$)', dependencyTypesNot: ['type-only'] },
    ),
    only(
      'ui-knows-no-domain',
      'ui, hooks and lib serve every feature and know none',
      { path: '^web/src/(ui|hooks|lib)/' },
      { path: '^web/src/(features|pages|app/layout)/' },
    ),
    only(
      'features-know-no-pages',
      'pages compose features',
      { path: '^web/src/features/', pathNot: '[.]test[.]' },
      { path: '^web/src/pages/' },
    ),
    only(
      'pages-are-apart',
      'what two pages need belongs to a feature',
      { path: '^web/src/pages/([^/]+)', pathNot: '[.]test[.]' },
      { path: '^web/src/pages/', pathNot: '^web/src/pages/$1' },
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
