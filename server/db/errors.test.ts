import { expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { toAppError } from '../http/response/app-error.ts';
import { fromDatabaseError } from './errors.ts';

test.each([
  ['22P02', 400, 'validation_failed'],
  ['22003', 400, 'validation_failed'],
  ['22021', 400, 'validation_failed'],
  ['22P05', 400, 'validation_failed'],
  ['22025', 400, 'validation_failed'],
  ['2201W', 400, 'validation_failed'],
  ['22001', 400, 'validation_failed'],
  ['23514', 400, 'validation_failed'],
  ['54000', 400, 'validation_failed'],
  ['23505', 409, 'conflict'],
  ['23503', 404, 'not_found'],
  ['40001', 503, 'overloaded'],
  ['40P01', 503, 'overloaded'],
  ['55P03', 503, 'overloaded'],
  ['57014', 503, 'overloaded'],
  ['25006', 503, 'database_unavailable'],
  ['57P01', 503, 'database_unavailable'],
  ['57P02', 503, 'database_unavailable'],
  ['57P03', 503, 'database_unavailable'],
  ['08006', 503, 'database_unavailable'],
  ['08P01', 503, 'database_unavailable'],
  ['53300', 503, 'database_unavailable'],
  ['ECONNREFUSED', 503, 'database_unavailable'],
  ['ETIMEDOUT', 503, 'database_unavailable'],
  ['53100', 503, 'storage_full'],
  ['53200', 503, 'overloaded'],
])('%s of Postgres answers %i %s', (code, status, expected) => {
  const error = fromDatabaseError(Object.assign(new Error('select secret'), { code }));
  expect([error?.status, error?.code]).toEqual([status, expected]);
  expect(error?.message).not.toContain('secret');
});

test.each([
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
])('"%s", which pg throws without a code, is an outage', (message) => {
  expect(fromDatabaseError(new Error(message))?.code).toBe('database_unavailable');
});

test("Knex's wait for a connection is an outage, anybody else's error is not the database's", () => {
  expect(fromDatabaseError(Object.assign(new Error('x'), { name: 'KnexTimeoutError' }))?.code).toBe(
    'database_unavailable',
  );
  for (const other of [new Error('x'), new TypeError('y'), { code: 'ENOENT' }, { code: 42 }, null, undefined, 'text'])
    expect(fromDatabaseError(other)).toBeUndefined();
});

test('an answer is never a failure by accident: errors of adapters keep their code, bugs say nothing', () => {
  expect(toAppError(Object.assign(new Error('No picture'), { code: 'invalid_image' }))).toMatchObject({
    status: 400,
    message: 'No picture',
  });
  expect(toAppError(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })).status).toBeGreaterThanOrEqual(499);
  expect(toAppError(new Error('secret'))).toMatchObject({
    status: 500,
    code: 'internal_error',
    message: 'Something went wrong',
  });
  expect(toAppError({ code: 'constructor' }).code).toBe('internal_error');
  const own = new AppError('conflict');
  expect(toAppError(own)).toBe(own);
});
