import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';
import type { VitestReport } from './reports.ts';

const toFile = (path: string): string => relative(process.cwd(), path);

const isUnfinished = (module: TestModule): boolean => module.state() === 'pending' || module.state() === 'queued';

const toStatus = (state: string): string => (state === 'passed' || state === 'skipped' ? state : 'failed');

/**
 * A reporter of Vitest that writes `VitestReport` to the file VITEST_REPORT. Vitest's own JSON leaves out errors outside
 * of tests, such as a rejected promise that nothing awaits.
 */
export default class ReportWriter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const unfinished = modules.filter(isUnfinished).map(({ moduleId }) => toFile(moduleId));
    const findFiles = ({ type, VITEST_TEST_PATH: path }: SerializedError): string[] => {
      if (typeof path === 'string') return [toFile(path)];
      // of a worker that died; what a test rejected or threw has another type
      return type === 'Unhandled Error' ? unfinished : [];
    };
    const report: VitestReport = {
      testResults: modules.map((module) => ({
        name: toFile(module.moduleId),
        status: toStatus(module.state()),
        assertionResults: [...module.children.allTests()].map((test) => ({
          status: toStatus(test.result().state),
          fullName: test.fullName,
        })),
      })),
      errors: errors.map((error) => ({ message: String(error.message).split('\n')[0] ?? '', files: findFiles(error) })),
    };
    writeFileSync(process.env.VITEST_REPORT!, JSON.stringify(report));
  }
}
