import { expect, test } from 'vitest';
import { endpoints } from '../../../contract/index.ts';
import { buildOpenApi } from './openapi.ts';

const document = buildOpenApi({ siteName: 'Tradepost', publicUrl: 'https://market.example' });

interface Operation {
  operationId: string;
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: { content: object };
  responses: Record<string, unknown>;
}

const operationOf = (path: string, method: string) =>
  document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as Operation;

test('every endpoint is described under its name, with its parameters, body and answers', () => {
  for (const { name, spec } of endpoints) {
    const operation = operationOf(spec.path, spec.method);
    expect(operation.operationId).toBe(name);
    const inPath = [...spec.path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter).sort();
    const described = operation.parameters.filter((parameter) => parameter.in === 'path');
    expect([name, described.map((parameter) => parameter.name).sort()]).toEqual([name, inPath]);
    expect(described.every(({ required }) => required)).toBe(true);
    expect([name, operation.requestBody !== undefined]).toEqual([name, spec.body !== undefined]);
    expect(Object.keys(operation.responses).some((status) => status.startsWith('2'))).toBe(true);
  }
});

test('the document is plain JSON and names every error', () => {
  expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  expect(document.components.schemas.Error).toMatchObject({ required: ['message', 'code', 'requestId'] });
});
